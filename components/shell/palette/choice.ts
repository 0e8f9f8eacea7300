import type { Icon } from "@phosphor-icons/react";
import type { ReactNode } from "react";
import type { Theme } from "@/components/shell/theme";
import type { Mode } from "@/lib/client/call";
import { foldText } from "@/lib/core/fold-text";

/** One line of the palette: it opens an address, or runs a command. */
export type Choice = {
  id: string;
  icon: Icon;
  label: string;
  /** Also found by these words. */
  keywords?: string;
  detail?: ReactNode;
  /** At the end of the line: an amount, a status. On desktop the amount comes last, so that amounts line up. */
  aside?: ReactNode;
} & (
  | {
      /** Asks the API for resources without a page of their own. */
      address: () => string | Promise<string>;
      /** Whether the palette remembers it as a recent place. Detail pages remember themselves. */
      isPlace?: boolean;
    }
  | { command: Command }
);

export type Command =
  | { does: "showTheme"; theme: Theme }
  | { does: "switchMode"; mode: Mode }
  | { does: "switchBusiness"; id: string }
  | { does: "listKeys" | "signOut" };

export interface Group {
  label: string;
  items: Choice[];
  /** No result of the search that is under way comes before it. */
  isCertain?: boolean;
}

export const matches = ({ label, keywords = "" }: Choice, text: string): boolean => {
  const named = foldText(`${label} ${keywords}`);
  return foldText(text)
    .split(/\s+/)
    .every((word) => named.includes(word));
};

/** Whether the name begins with the text: then it comes before the results of the search. */
export const isNamed = ({ label }: Choice, text: string): boolean =>
  text.length > 1 && foldText(label).startsWith(foldText(text));
