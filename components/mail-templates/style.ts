/** The colours of the payers' pages (lib/payer/style.ts). */
export const colours = {
  page: "#f3f5f7",
  card: "#ffffff",
  ink: "#14202b",
  soft: "#4d5b68",
  line: "#d5dce2",
  accent: "#0b5566",
  onAccent: "#ffffff",
  note: "#6b4a00",
  noteTint: "#fdf3dc",
} as const;

export const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Only the head can react to the colour scheme. `!important` overrides the inline styles. */
export const darkStyle = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page,.page>table>tbody>tr>td{background-color:#0e1418!important}
.card{background-color:#172026!important;border-color:#2e3a43!important}
.ink{color:#e9eff3!important}
.soft{color:#a8b6c1!important}
.link{color:#6fd0e0!important}
.button{background-color:#6fd0e0!important;color:#06232a!important}
.note{background-color:#332910!important;color:#f3cf7a!important}
.facts,.fact,.quote{border-color:#2e3a43!important}
}
`;
