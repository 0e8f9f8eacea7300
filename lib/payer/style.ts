/**
 * The style sheet of the payer's pages. Inlined, so that a visit is one request, with its hash in the
 * Content-Security-Policy. System fonts, light and dark scheme, WCAG AA contrast.
 */
export const publicStyle = `
:root{color-scheme:light dark;--page:#f3f5f7;--card:#fff;--ink:#14202b;--soft:#4d5b68;--line:#d5dce2;--field:#76838f;
--accent:#0b5566;--accent-ink:#fff;--accent-hover:#083f4c;--tint:#e8f1f3;--bad:#a3201c;--bad-tint:#fdeeed;--good:#17663a;
--good-tint:#e6f4ec;--note:#6b4a00;--note-tint:#fdf3dc;--fill:var(--accent);--fill-ink:var(--accent-ink);
--fill-hover:var(--accent-hover);--shadow:0 1px 2px #14202b14,0 8px 28px #14202b12}
@media (prefers-color-scheme:dark){:root{--page:#0e1418;--card:#172026;--ink:#e9eff3;--soft:#a8b6c1;--line:#2e3a43;
--field:#7d8d99;--accent:#6fd0e0;--accent-ink:#06232a;--accent-hover:#9be0eb;--tint:#122a31;--bad:#ff9d96;--bad-tint:#3a1b1a;
--good:#7fd6a2;--good-tint:#14301f;--note:#f3cf7a;--note-tint:#332910;--shadow:0 0 0 1px #2e3a43}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{flex:1;width:100%;max-width:27rem;margin:0 auto;padding:1rem}
h1,h2,p,ul,ol,dl,dd,fieldset{margin:0;padding:0}
h1,h2{line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.business{display:flex;align-items:center;gap:.625rem;min-width:0;font-weight:600;overflow-wrap:anywhere}
.mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.625rem;background:var(--fill);
color:var(--fill-ink);font-weight:700}
.logo{flex:none;width:auto;height:2.5rem;max-width:9rem;padding:.1875rem;border-radius:.5rem;background:#fff;object-fit:contain}
.top{display:flex;align-items:center;justify-content:space-between;gap:.75rem;margin-bottom:1.25rem}
.badge{flex:none;padding:.125rem .5rem;border-radius:1rem;background:var(--note-tint);color:var(--note);font-size:.8125rem;
font-weight:600}
.amount{font-size:2.25rem;font-weight:700;letter-spacing:-.02em;line-height:1.15;font-variant-numeric:tabular-nums;
overflow-wrap:anywhere}
.summary h1{margin-bottom:.25rem;font-size:1rem;font-weight:500;color:var(--soft)}
.summary h1.lead{font-size:1.5rem;font-weight:700;color:var(--ink);letter-spacing:-.01em}
.text{margin-top:.75rem;color:var(--soft);white-space:pre-line;overflow-wrap:anywhere}
.card{background:var(--card);border-radius:1rem;box-shadow:var(--shadow);padding:1.25rem}
.card h2{font-size:1.0625rem;margin-bottom:1rem}
.card+.card{margin-top:1rem}
.summary{margin-bottom:1.25rem}
.field{margin-bottom:1rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
label{display:block;margin-bottom:.3125rem;font-size:.9375rem;font-weight:600}
label span{font-weight:400;color:var(--soft)}
input{display:block;width:100%;min-height:3rem;padding:.5rem .75rem;border:1px solid var(--field);border-radius:.625rem;
background:var(--card);color:var(--ink);font:inherit;font-variant-numeric:tabular-nums}
.check{display:flex;gap:.625rem;align-items:center;min-height:2.75rem;margin:0}
.check+div{margin-left:1.875rem;color:var(--soft);font-size:.9375rem}
.check input{flex:none;width:1.25rem;min-height:1.25rem;margin:0;accent-color:var(--accent)}
input:focus{outline:3px solid var(--accent);outline-offset:-1px;border-color:transparent}
input::placeholder{color:var(--soft);opacity:1}
input[aria-invalid=true]{border:2px solid var(--bad)}
.error{margin-top:.3125rem;color:var(--bad);font-size:.9375rem}
.button{display:block;width:100%;min-height:3rem;padding:.625rem 1rem;border:0;border-radius:.625rem;background:var(--fill);
color:var(--fill-ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{background:var(--fill-hover)}
.button.plain{background:transparent;color:var(--accent);box-shadow:inset 0 0 0 1px var(--field)}
.button.plain:hover{background:var(--tint)}
.actions{display:grid;gap:.75rem;margin-top:1.25rem}
.actions:empty{display:none}
.quiet{justify-self:center;padding:.6875rem .75rem;font-size:.9375rem}
.alert{margin-bottom:1rem;padding:.75rem .875rem;border-radius:.625rem;border-left:4px solid var(--bad);background:var(--bad-tint)}
.alert h2{margin:0 0 .125rem;text-wrap:wrap;color:var(--bad);font-size:1rem}
.alert ul{padding-left:1.125rem}
.alert.wait{border-color:var(--note);background:var(--note-tint)}
.alert.wait h2{color:var(--note)}
.other{margin-top:1rem}
.alert li{padding:.125rem 0}
.alert a{color:inherit}
.safe{display:flex;gap:.5rem;align-items:flex-start;margin-top:.875rem;color:var(--soft);font-size:.875rem}
.safe svg{flex:none;margin-top:.125rem}
details{margin-top:1rem;border-radius:.625rem;background:var(--note-tint)}
summary{display:flex;align-items:center;justify-content:space-between;gap:.5rem;min-height:2.75rem;padding:.375rem .875rem;
border-radius:.625rem;color:var(--note);font-weight:600;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";flex:none;width:.5rem;height:.5rem;border:solid currentColor;border-width:0 2px 2px 0;
transform:translateY(-25%) rotate(45deg)}
details[open]>summary::after{transform:translateY(25%) rotate(225deg)}
details details{margin-top:0}
details p,details dl{padding:0 .875rem .75rem;font-size:.875rem}
details dt{font:600 .9375rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:nowrap}
details dd{margin-bottom:.5rem;color:var(--soft)}
.notice{text-align:center;padding:2rem 1.25rem}
.notice h1{font-size:1.375rem;letter-spacing:-.01em}
.notice p{margin-top:.625rem;text-wrap:pretty;color:var(--soft);overflow-wrap:anywhere}
.notice .words{margin-top:1rem;color:var(--ink);white-space:pre-line}
.icon{display:grid;place-items:center;width:3.5rem;height:3.5rem;margin:0 auto 1rem;border-radius:50%;background:var(--tint);
color:var(--accent)}
.icon.good{background:var(--good-tint);color:var(--good)}
.icon.bad{background:var(--bad-tint);color:var(--bad)}
.icon.note{background:var(--note-tint);color:var(--note)}
.facts{margin-top:1.25rem;border-top:1px solid var(--line);text-align:left}
.facts div{display:flex;justify-content:space-between;gap:1rem;padding:.625rem 0;border-bottom:1px solid var(--line)}
.facts dt{flex:none;color:var(--soft)}
.facts dd{font-weight:600;text-align:right;overflow-wrap:anywhere;min-width:0}
.dues dt{flex:1;min-width:0;overflow-wrap:anywhere}.dues dd{flex:none;max-width:60%}
.spin{animation:spin 1.2s linear infinite}
@keyframes spin{to{transform:rotate(360deg)}}
@media (prefers-reduced-motion:reduce){.spin{animation:none}}
footer{padding:1rem;color:var(--soft);font-size:.875rem;text-align:center}
.contact{margin-bottom:.25rem;overflow-wrap:anywhere}
.contact a{color:inherit}
@media (min-width:56rem){
main{padding:3rem 2rem 2rem}
main.wide{max-width:60rem;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,26rem);gap:4rem;align-items:start}
main.wide .summary{margin:0;padding-top:.75rem}
main.wide .top{margin-bottom:2.5rem}
.amount{font-size:2.75rem}
.card{padding:1.75rem}
}
@media (forced-colors:active){.button,.card,.badge{border:1px solid}}
`;

/** Separate, to keep the more frequently requested pay page small. */
export const receiptStyle = `${publicStyle}
main{max-width:40rem}
.receipt h1{margin-bottom:.25rem;font-size:1rem;font-weight:500;color:var(--soft)}
.code{color:var(--soft);font-size:1rem;font-weight:500;letter-spacing:0}
.remark{margin-top:.75rem;padding:.5rem .75rem;border-radius:.5rem;background:var(--note-tint);color:var(--note);font-weight:600}
.receipt .facts dt{width:8.5rem}
.receipt .facts dd{flex:1;text-align:left}
.detail{color:var(--soft);font-size:.9375rem;font-weight:400;white-space:pre-line;overflow-wrap:anywhere}
.receipt h2{margin:1.5rem 0 .5rem}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-size:.875rem;font-weight:500}
th:last-child,td:last-child{padding-right:0;text-align:right;white-space:nowrap}
.sums{padding:.5rem 0;font-variant-numeric:tabular-nums}
.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.125rem 0;color:var(--soft)}
.sums div:last-child{color:var(--ink);font-weight:600}
@media (max-width:27rem){
.receipt .facts div{display:block}
}
@media print{
@page{margin:18mm}
:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--note:#000;--note-tint:#fff;--shadow:none}
body{min-height:0;font-size:11pt}
main,main.wide{max-width:none;padding:0}
.card{padding:0}
.mark{border:1px solid var(--line);background:none;color:var(--ink)}
.badge,.remark{border:1px solid var(--line)}
.facts div,tr,.sums{break-inside:avoid}
.actions{display:none}
footer{padding:1rem 0 0;text-align:left}
}
`;

/** Separate, as the receipt's. One click selects a value whole, because the page has no script to copy it. The QR code
 * is hidden on phones, which cannot scan their own screen. */
export const transferStyle = `${publicStyle}
.remark{margin-bottom:1rem;padding:.5rem .75rem;border-radius:.5rem;background:var(--note-tint);color:var(--note);font-weight:600}
.transfer div{padding:.625rem 0;border-bottom:1px solid var(--line)}
.transfer div:first-child{border-top:1px solid var(--line)}
.transfer dt{color:var(--soft);font-size:.875rem}
.transfer dd{font-weight:600;overflow-wrap:anywhere}
.copy{-webkit-user-select:all;user-select:all}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-variant-numeric:tabular-nums}
.hint{margin-top:.75rem;color:var(--soft);font-size:.9375rem;text-wrap:pretty}
.scan{display:none;align-items:center;gap:1rem;margin-top:1.25rem}
.scan svg{flex:none;width:9.5rem;height:9.5rem;border-radius:.5rem}
.scan p{min-width:0;color:var(--soft)}
.scan strong{color:var(--ink)}
@media (min-width:40rem){.scan{display:flex}}
`;

/** The sandbox's bank page. It looks different from the pay page on purpose. */
export const bankStyle = `
:root{color-scheme:light dark;--page:#20264d;--card:#fff;--ink:#1b1f3b;--soft:#565b7a;--line:#d9dbe8;--yes:#2f3a8f;--yes-ink:#fff}
@media (prefers-color-scheme:dark){:root{--page:#0d1022;--card:#1b1f38;--ink:#eef0ff;--soft:#b0b5d6;--line:#353b61;--yes:#aab4ff;
--yes-ink:#12163a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--ink);
font:1rem/1.5 Georgia,"Times New Roman",serif}
main{width:100%;max-width:25rem;padding:1.5rem;border-radius:.25rem;background:var(--card)}
h1{margin:1.25rem 0 .5rem;font-size:1.375rem;line-height:1.25}
p{margin:0 0 .75rem}
.bank{display:flex;justify-content:space-between;gap:1rem;padding-bottom:.75rem;border-bottom:3px double var(--line);font-weight:700}
.bank span:last-child,.soft{color:var(--soft);font-weight:400;font-size:.9375rem}
dl{margin:1rem 0;padding:0}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;font-weight:700;text-align:right;overflow-wrap:anywhere;min-width:0}
form{display:grid;gap:.75rem;margin-top:1.25rem}
.button{display:block;width:100%;min-height:3rem;padding:.5rem 1rem;border:1px solid var(--yes);border-radius:.25rem;background:var(--yes);
color:var(--yes-ink);font:inherit;font-weight:700;text-align:center;text-decoration:none;cursor:pointer}
.button.plain{background:transparent;color:var(--yes)}
:focus-visible{outline:3px solid var(--yes);outline-offset:3px}
`;
