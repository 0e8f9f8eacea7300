import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const beginFile = "lib/ledger/attempt.ts";

/** Pays with the page's form. On a slow machine a payer may read that Paydesk is away for a moment, and sends it again. */
async function payOnce(id: string): ReturnType<typeof postPayment> {
  for (let tries = 1; ; tries++) {
    const landing = await postPayment(id, 1050, "EUR");
    if (landing.status !== 503 || tries === 3) return landing;
    await sleep(2_000);
  }
}

/** `payers` simultaneous payments on each of `links` links, all from a page with the form. */
async function run(links: number, payers: number): Promise<Outcome> {
  const { businessId, key } = await createMerchant();
  let charged = 0;
  let unfriendly = 0;
  for (let i = 0; i < links; i++) {
    const id = await create(key, "payment_links");
    const landings = await Promise.all(Array.from({ length: payers }, () => payOnce(id)));
    charged += landings.filter(({ status, location }) => status === 303 && location.startsWith("/thank-you")).length;
    for (const { status, text } of landings)
      if (status !== 303 && !(status === 409 && /charged a second time|don’t pay again/.test(text))) unfriendly++;
  }
  const account = String(businessId);
  const charges = await db.sandboxCharge.count({ where: { account, status: "succeeded" } });
  return {
    done: `${links} links x ${payers} payers at once, ${charged} thanked`,
    wrong: { "charges too many or too few": Math.abs(charges - links), "unfriendly answers": unfriendly },
  };
}

fault({
  id: "R2",
  title: "many payers, one link",
  minutes: 10,
  run: () => run(full ? 100 : 3, full ? 200 : 25),
  control: {
    without: "the conditional update and the unique indexes",
    mutations: [
      { file: beginFile, find: "AND status || '' = 'Active' AND deleted_at", replace: "AND deleted_at" },
      { file: beginFile, find: "if (!link) throw", replace: "if (!link) continue; if (false) throw" },
    ],
    run: async (mutations) => {
      await asOwner("DROP INDEX payment_one_open", "DROP INDEX payment_one_succeeded");
      await rig.weaken("r2", mutations);
      return run(2, 25);
    },
  },
});
