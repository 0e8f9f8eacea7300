import { createHook, executionAsyncId } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Scope } from "@/lib/core/scope";

it("shows its value to everything that the work calls and awaits, and to nothing else", async () => {
  const scope = new Scope<string>();
  const seen: (string | undefined)[] = [];
  const look = async () => {
    await sleep(1);
    seen.push(scope.get());
  };
  const work = scope.run("a", async () => {
    await look();
    await scope.run("b", look);
    scope.exit(() => seen.push(scope.get()));
    await look();
    return "done";
  });
  expect(scope.get()).toBeUndefined();
  expect(await work).toBe("done");
  expect(seen).toEqual(["a", "b", undefined, "a"]);
  expect(scope.get()).toBeUndefined();
});

it("keeps concurrent work apart, and is off only when all of it has ended", async () => {
  const scope = new Scope<number>();
  const work = (value: number) =>
    scope.run(value, async () => {
      for (let n = 0; n < 10; n++) {
        await sleep(Math.random() * 3);
        expect(scope.get()).toBe(value);
      }
    });
  await Promise.all(Array.from({ length: 50 }, (_, value) => work(value)));
  expect(scope.get()).toBeUndefined();
});

it("ends also with work that throws, at once or later", async () => {
  const scope = new Scope<number>();
  const fail = () => {
    throw new Error("no");
  };
  expect(() => scope.run(1, fail)).toThrow("no");
  await expect(scope.run(1, async () => fail())).rejects.toThrow("no");
  expect(scope.get()).toBeUndefined();
  await scope.run(2, async () => expect(scope.get()).toBe(2));
});

/** Node gives promises ids of their own only while something follows them. */
const promisesAreFollowed = async () => {
  const ids = await Promise.all([1, 2].map(async () => Promise.resolve().then(() => executionAsyncId())));
  return ids[0] !== 0 && ids[0] !== ids[1];
};

it.runIf(Number(process.versions.node.split(".")[0]) < 24)("costs other promises nothing while it is off", async () => {
  const hook = createHook({ init: () => undefined }).enable();
  expect(await promisesAreFollowed()).toBe(true); // the check sees a hook
  hook.disable();
  const scope = new Scope<number>();
  const before = await promisesAreFollowed();
  await scope.run(1, async () => expect(await promisesAreFollowed()).toBe(true));
  expect(before).toBe(false);
  expect(await promisesAreFollowed()).toBe(false);
});
