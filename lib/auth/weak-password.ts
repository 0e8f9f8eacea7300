import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** Characters that are rated: the time grows faster than their number. */
const maxLength = 40;

let checker: Promise<ZxcvbnFactory> | undefined;

/** Loaded on first use: the lists of common passwords are large. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs, maxLength });
}

/**
 * Whether a password is easy to guess: a common password or a variation of one, or made of public facts about the person.
 * @param known the names and e-mail of the person and the business
 */
export async function isWeakPassword(password: string, known: string[]): Promise<boolean> {
  checker ??= load();
  const zxcvbn = await checker;
  const words = known
    .flatMap((text) => {
      const parts = text.split(/[^\p{L}\p{N}]+/u);
      return [text, parts.join(""), ...parts];
    })
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, maxLength));
  return zxcvbn.check(password, [...words, "paydesk"]).guessesLog10 < 8;
}

export const weakPasswordText = "The password is too easy to guess. Use a longer one, or several unrelated words.";
