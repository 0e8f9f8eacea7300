import { random, seed } from "@/tests/faults/seeded";

/** What a sequence of steps plays in. */
export interface Scene {
  step(next: () => number): Promise<void>;
  /** What the latest step did or began. */
  latest(): string;
  /** @returns null when the product equals the model */
  differences(): Promise<string | null>;
}

interface End {
  /** Steps without a difference. */
  done: number;
  difference: string | null;
  path: string[];
}

/** Does the numbered steps. Each draws from its own number, so that a path stays the same when others are left out. */
async function play(open: () => Promise<Scene>, of: number, numbers: number[]): Promise<End> {
  const scene = await open();
  const path: string[] = [];
  for (const [done, number] of numbers.entries()) {
    const next = random(seed + of * 65_537 + number);
    const difference = await scene.step(next).then(
      () => scene.differences(),
      (error: unknown) => String(error),
    );
    path.push(scene.latest());
    if (difference) return { done, difference, path };
  }
  return { done: numbers.length, difference: null, path };
}

/** Plays `count` steps. After a difference, looks for the fewest steps that lead to one. */
export async function playShortest(
  open: () => Promise<Scene>,
  of: number,
  count: number,
  shrink: boolean,
): Promise<End> {
  let numbers = Array.from({ length: count }, (_, index) => index);
  let end = await play(open, of, numbers);
  if (!end.difference || !shrink) return end;
  const { done } = end;
  numbers = numbers.slice(0, done + 1);
  for (let size = Math.ceil(numbers.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = numbers.length - size; at >= 0; at -= size) {
      const fewer = numbers.filter((_, index) => index < at || index >= at + size);
      const shorter = await play(open, of, fewer);
      if (!shorter.difference) continue;
      end = shorter;
      numbers = fewer.slice(0, shorter.done + 1);
      at = Math.min(at, numbers.length);
    }
  return { ...end, done };
}
