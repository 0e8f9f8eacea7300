import { seeded } from "@/tests/support/stripe/faults";
import { DeadPath, Unresolved } from "./values";

/** Paths that are taken in order. Values with choices of their own, such as dates, make more: of those, some are drawn. */
const maxInOrder = 300;
const maxDrawn = 300;

/** Repeats an evaluation with every combination of its choices, or with some of very many. */
export class Branches {
  #taken: number[] = [];
  #options: number[] = [];
  #chosen = new Map<unknown, number>();
  /** Draws the choices, once there are too many paths to take them in order. */
  #draw: (() => number) | null = null;

  /** @returns an index below `count`; the same one whenever this path asks for `of` */
  choose(count: number, of: unknown): number {
    const known = this.#chosen.get(of);
    if (known !== undefined) return known;
    const position = this.#options.push(count) - 1;
    const choice = this.#draw ? Math.floor(this.#draw() * count) : (this.#taken[position] ?? 0);
    this.#taken[position] = choice;
    this.#chosen.set(of, choice);
    return choice;
  }

  /** @returns the results of all paths, and the errors of paths without a result */
  explore(evaluate: () => string): { texts: string[]; unresolved: string[] } {
    const texts = new Set<string>();
    const unresolved = new Set<string>();
    this.#taken = [];
    this.#draw = null;
    for (let path = 0; path < maxInOrder + maxDrawn; path++) {
      if (path === maxInOrder) this.#draw = seeded(1);
      this.#options = [];
      this.#chosen = new Map();
      try {
        texts.add(evaluate());
      } catch (error) {
        if (error instanceof Unresolved) unresolved.add(error.message);
        else if (!(error instanceof DeadPath)) throw error;
      }
      // Some of it is known only at run time, so that no number of paths shows all of it.
      const isEnough = path >= 150 && unresolved.size > 0;
      if (isEnough || (!this.#draw && !this.#advance())) break;
    }
    return { texts: [...texts], unresolved: [...unresolved] };
  }

  #advance(): boolean {
    for (let last = this.#options.length - 1; last >= 0; last--) {
      const next = (this.#taken[last] ?? 0) + 1;
      if (next < (this.#options[last] ?? 0)) {
        this.#taken = [...this.#taken.slice(0, last), next];
        return true;
      }
    }
    return false;
  }
}
