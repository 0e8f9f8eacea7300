import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { leaseSeconds } from "@/lib/outbox/mail/send";
import { createMerchant } from "@/tests/support/factory";
import { create } from "@/tests/support/samples";
import { manyMails, startSmtp } from "@/tests/support/smtp";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

let rig: Rig;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  smtp = await startSmtp();
  rig = await startRig({ ...manyMails, SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example" });
});
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
});

interface Scale {
  mails: number;
  /** Number of outages during sending, and the duration of each. */
  outages: number;
  awayMs: number;
  kills: number;
  /** Whether to wait for the product's own retries. If not, the test makes them due. */
  realTime: boolean;
}

async function run({ mails, outages, awayMs, kills, realTime }: Scale): Promise<Outcome> {
  const next = random();
  const { businessId, liveKey } = await createMerchant();
  const where = { business_id: businessId };
  const queued = () => db.email.count({ where: { ...where, status: "queued" } });
  const delivered = () => smtp.delivered.filter(({ at }) => at >= begun);
  const begun = Date.now();

  await smtp.stop();
  await mapConcurrently(6, Array.from({ length: mails }), async () => {
    // A busy machine sometimes answers 503; then nothing was created.
    for (let tries = 1; ; tries++)
      try {
        return await create(liveKey, "payment_links");
      } catch (error) {
        if (tries > 20 || !String(error).includes("503")) throw error;
        await sleep(500);
      }
  });
  // Some mails get a 4xx once. Some connections close after the server may have accepted the mail.
  const deferred = new Set<string>();
  smtp.behaviour.data = (raw) => {
    const id = /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? "";
    if (next() > 0.1 || deferred.has(id)) return undefined;
    deferred.add(id);
    return { code: 451, text: "4.3.0 try again later" };
  };
  smtp.behaviour.slow = 20;
  const makeDue = async () => {
    if (realTime) return;
    const due = { ...where, status: "queued", last_error: { not: null } };
    await db.email.updateMany({ where: due, data: { next_attempt_at: new Date(), last_error: null } });
  };
  /** The short run ends the leases of a dead worker instead of waiting. The new worker keeps its own: it may be sending. */
  const endLeases = async (deadAt: Date) => {
    if (realTime) return;
    const claimedBefore = { lte: new Date(deadAt.getTime() + leaseSeconds * 1_000) };
    await db.email.updateMany({
      where: { ...where, status: "queued", next_attempt_at: claimedBefore },
      data: { next_attempt_at: new Date() },
    });
  };

  const killed: number[] = [];
  for (let outage = 0; outage < outages; outage++) {
    await sleep(awayMs);
    await makeDue();
    await smtp.start();
    const goal = Math.round((mails * (outage + 0.5 + next() / 4)) / outages);
    const deadline = Date.now() + (realTime ? 7 * 60_000 : 20_000);
    for (let looks = 1; delivered().length < goal && Date.now() < deadline; looks++) {
      if (looks % 10 === 0) await makeDue();
      await sleep(20);
    }
    if (killed.length < kills) {
      await sleep(between(next, 0, 20));
      const deadAt = await rig.powerCut();
      killed.push(deadAt.getTime());
      await endLeases(deadAt);
    }
    await smtp.stop();
  }
  await smtp.start();
  for (
    // A claim that PostgreSQL ran after the kill keeps its lease, also in the short run.
    const deadline = Date.now() + (realTime ? 20 * 60 : leaseSeconds + 60) * 1_000;
    (await queued()) > 0 && Date.now() < deadline;
    await sleep(500)
  )
    await makeDue();

  const times = new Map<string, number[]>();
  for (const { mail, at } of delivered()) {
    const id = mail.messageId ?? "";
    times.set(id, [...(times.get(id) ?? []), at]);
  }
  const rows = await db.email.findMany({ where, select: { id: true, status: true } });
  const lost = rows.filter(({ id }) => !times.has(`<${id}@paydesk.example>`)).length;
  const repeated = [...times.values()].filter((at) => at.length > 1);
  const unexcused = repeated.filter(([first = 0, ...rest]) => {
    const last = rest.at(-1) ?? 0;
    return !killed.some((when) => when >= first - 2_000 && when <= last);
  });
  return {
    done: `${mails.toLocaleString("en")} mails, the mail server away ${outages + 1} times, ${deferred.size} deferred, ${killed.length} kills, ${repeated.length} mails sent twice after a kill`,
    wrong: {
      lost,
      "not known to be sent": rows.filter(({ status }) => status !== "sent").length,
      "sent twice without a kill": unexcused.length,
      "never written": Math.abs(mails - rows.length),
    },
  };
}

fault({
  id: "R15",
  title: "the mail server is unavailable or asks to wait, and the server is killed while it sends",
  minutes: 45,
  run: () =>
    run(
      full
        ? { mails: 1_000, outages: 3, awayMs: 5_000, kills: 2, realTime: true }
        : { mails: 60, outages: 2, awayMs: 1_500, kills: 1, realTime: false },
    ),
  control: {
    without: "the retry, and the record that a mail was sent",
    mutations: [
      {
        file: "lib/outbox/mail/send.ts",
        find: 'if (sent.outcome === "sent") return finish(mail, "sent", kept, null);',
        replace: `if (sent.outcome === "sent")
            return mail.attempt_count > 1 ? finish(mail, "sent", kept, null) : postpone(mail, kept, "again");`,
      },
      {
        file: "lib/outbox/mail/send.ts",
        find: 'if (sent.outcome === "refused") return finish(',
        replace: 'if (sent.outcome !== "sent") return finish(',
      },
    ],
    finds: ["lost", "sent twice without a kill"],
    run: async (mutations) => {
      await rig.weaken("r15", mutations);
      return run({ mails: 60, outages: 1, awayMs: 1_500, kills: 0, realTime: false });
    },
  },
});
