import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createMerchant } from "@/tests/support/factory";
import { asOwner } from "@/tests/support/postgres";
import { attemptSignIn, createStaff, type SignInReply } from "@/tests/support/sign-in";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

let count = 0;
/** Returns a new address at each call. */
const machine = () => `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count++ & 255}`;

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Signs in. Repeats a sign-in that got no database connection on a busy machine: it compared no password. */
async function answered(credentials: { email: string; password: string }, address: string): Promise<SignInReply> {
  const reply = await attemptSignIn(credentials, { address });
  return reply.error === "Unavailable" ? answered(credentials, address) : reply;
}

/** Makes one guess. Returns the status and the duration in milliseconds. */
async function timed(email: string, address = machine()) {
  const begun = performance.now();
  const { status } = await attemptSignIn({ email, password: "a guess" }, { address });
  return { status, ms: performance.now() - begun };
}

async function run(guesses: number, pairs: number, compareTimes: boolean): Promise<Outcome> {
  const merchant = await createMerchant();
  const wrong = { "hashes too many": 0, "refused after hashing": 0, "victims locked out": 0, distinguishable: 0 };

  // Guessed from many addresses at once, while the victim signs in from its known address.
  const victims = await Promise.all(Array.from({ length: full ? 4 : 2 }, () => createStaff(merchant)));
  const home = new Map(victims.map((victim) => [victim.email, machine()]));
  for (const victim of victims) await attemptSignIn(victim, { address: home.get(victim.email) });
  let refused = 0;
  for (const victim of victims) {
    const statuses: number[] = [];
    await mapConcurrently(8, Array.from({ length: guesses }, machine), async (address) => {
      for (let i = 0; i < 3; i++)
        statuses.push((await answered({ email: victim.email, password: `guess ${i}` }, address)).status);
    });
    wrong["hashes too many"] += Math.max(0, statuses.filter((status) => status !== 429).length - 10);
    refused += statuses.filter((status) => status === 429).length;
    const { cookie } = await answered(victim, home.get(victim.email) ?? "");
    if (!cookie) wrong["victims locked out"]++;
  }

  // Sequentially, alternating known and unknown e-mails.
  const known: number[] = [];
  const unknown: number[] = [];
  const staff = await Promise.all(Array.from({ length: Math.ceil(pairs / 8) }, () => createStaff(merchant)));
  await timed("warm@example.com");
  for (let i = 0; i < pairs; i++) {
    known.push((await timed(staff[i % staff.length]?.email ?? "")).ms);
    unknown.push((await timed(`${randomUUID()}@example.com`)).ms);
  }
  const fast: number[] = [];
  for (let i = 0; i < 15; i++) {
    const { status, ms } = await timed(victims[0]?.email ?? "");
    if (status === 429) fast.push(ms);
  }
  const [k, u, f] = [median(known), median(unknown), median(fast)];
  if (compareTimes && fast.length > 0 && f > k * 0.75) wrong["refused after hashing"]++;
  if (compareTimes && Math.abs(k - u) > 5) wrong.distinguishable++;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return {
    done: `${victims.length * guesses * 3} guesses, ${refused} refused; known ${ms(k)}, unknown ${ms(u)}, refused ${ms(f)}`,
    wrong,
  };
}

fault({
  id: "S4",
  title: "guessing passwords",
  minutes: 6,
  // Durations are only compared in the full run, which runs alone.
  run: () => run(full ? 100 : 12, full ? 200 : 4, full),
  control: {
    without: "persistent counters",
    run: async () => {
      await asOwner(
        "CREATE FUNCTION reset_points() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.points := 1; RETURN NEW; END $$",
        "CREATE TRIGGER reset_points BEFORE INSERT OR UPDATE ON rate_limit FOR EACH ROW EXECUTE FUNCTION reset_points()",
      );
      return run(12, 2, false);
    },
  },
});
