import { expect, it } from "vitest";
import { businessId, commandOf, livemode, required, UsageError } from "@/server/command";

const commands = { connect: 1, list: 2 };

it.each<[mistake: string, read: () => unknown, message: string]>([
  ["no command", () => commandOf(commands, []), "Which command?"],
  ["an unknown command", () => commandOf(commands, ["rotate"]), "Unknown command: rotate"],
  ["two commands", () => commandOf(commands, ["list", "connect"]), "Only one command can be given."],
  ["no business", () => businessId(undefined), "--business is missing."],
  ...["one", "0", "1.5", "-1", "2147483648"].map((given): [string, () => unknown, string] => [
    `the business ${given}`,
    () => businessId(given),
    "--business must be a business's number.",
  ]),
  ["no mode", () => livemode(undefined), "--mode is missing."],
  ["the mode prod", () => livemode("prod"), "--mode must be test or live."],
  ["an empty name", () => required("name", ""), "--name is missing."],
])("explains what is wrong with %s", (_mistake, read, message) => {
  expect(read).toThrow(new UsageError(message));
});

it("reads what is right", () => {
  expect([commandOf(commands, ["list"]), businessId("2147483647")]).toEqual([2, 2_147_483_647]);
  expect([livemode("test"), livemode("live")]).toEqual([false, true]);
});
