import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

let checker: Promise<ZxcvbnFactory> | undefined;

/** Loaded when first asked for: the lists of bad passwords are large. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs, maxLength: 72 });
}

/**
 * Whether a password is among those that are guessed first: the worst ones known, with their repetitions, sequences and
 * spellings, or made of what everybody knows of the person.
 * @param known the person's and business's own names and address
 */
export async function isWeakPassword(password: string, known: string[]): Promise<boolean> {
  checker ??= load();
  const zxcvbn = await checker;
  const words = known
    .flatMap((text) => {
      const parts = text.split(/[^\p{L}\p{N}]+/u);
      return [text, parts.join(""), ...parts];
    })
    .filter((word) => word.length > 2);
  return zxcvbn.check(password, [...words, "paydesk"]).guessesLog10 < 8;
}

export const weakPasswordText =
  "The password is too easy to guess. Take a longer one, or some words that do not belong together.";
