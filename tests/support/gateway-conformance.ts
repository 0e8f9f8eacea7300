import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "@/lib/core/id";
import type { EntriesOf, GatewayPage, KnownEntry, KnownPayout } from "@/lib/gateways/balance";
import {
  type CardInput,
  type ChargeSavedRequest,
  ForgedCallback,
  type Gateway,
  type LookupResult,
  NoAnswer,
  type PayRequest,
  type SaveCardRequest,
  type SaveCardResult,
  type SentAttempt,
} from "@/lib/gateways/gateway";
import { type DeclineReason, declineReasons, disputeReasons, refundFailures } from "@/lib/gateways/reasons";
import { aboutLink } from "@/tests/support/about";

/**
 * The payer's behaviour and the card's. Every card can be saved, except `declined:` ones.
 * - `pays`: the card succeeds without authentication.
 * - `approves`, `rejects`: 3-D Secure when the payer is present, with this answer.
 * - `declined:<reason>`: the bank declines payment and saving with this reason.
 * - `saved_declined`: can be saved; off-session it is declined for a temporary reason (not `hard`).
 * - `saved_blocked`: can be saved; off-session it is declined permanently (`hard`).
 * - `saved_asks`: can be saved (the payer approves 3-D Secure); off-session the bank always requires the payer.
 * - `refund_pending`: like `pays`; its refunds are `pending` until `settleRefunds`, then `succeeded`.
 * - `refund_fails`: like `pays`; its refunds are `failed` at the latest after `settleRefunds`.
 * - `dispute_won`, `dispute_lost`: like `pays`; disputed at once, and decided so by `settleDisputes`.
 * - `dispute_inquiry`: like `pays`; the bank opens an inquiry at once, and `settleDisputes` closes it.
 * - `risk_elevated`: like `pays`; the gateway reports an elevated risk. `risk_highest`: it blocks the payment because of its risk.
 */
export type Kind =
  | "pays"
  | "approves"
  | "rejects"
  | `declined:${DeclineReason}`
  | "saved_declined"
  | "saved_blocked"
  | "saved_asks"
  | "refund_pending"
  | "refund_fails"
  | "dispute_won"
  | "dispute_lost"
  | "dispute_inquiry"
  | "risk_elevated"
  | "risk_highest";

/** A callback as the gateway sent it. */
export interface Callback {
  body: string;
  headers: Headers;
}

/** A charge that took money, in the gateway's books. Amounts in units of the currency (10.5 EUR, 1000 JPY). */
export interface Taken {
  units: number;
  currency: string;
  /** The sum of its succeeded and pending refunds. */
  returned: number;
}

/** A driver's environment for the conformance tests. */
export interface Rig {
  /** A new account without charges and cards. */
  gateway: Gateway;
  /** Whether the gateway also sends a callback for an off-session charge that its reply has decided. */
  sendsOffSessionCallbacks: boolean;
  /** The same driver with another account at the same gateway. */
  other: Gateway;
  /** The kinds that this rig supports. Every rig supports `pays`; tests of unsupported kinds are skipped. */
  kinds: ReadonlySet<Kind>;

  /** The `card` of `pay` and `saveCard`; null when the payer enters it on the gateway's page. */
  card(kind: Kind): CardInput | null;

  /**
   * Plays the payer on the gateway's page: enters the card of `kind`, and answers a 3-D Secure challenge (`rejects` rejects, the
   * other kinds approve). Resolves when the gateway has processed it; rejects when the page is closed. After a refused card
   * the page may stay open.
   */
  act(at: { ref: string; url: string }, kind: Kind): Promise<void>;

  /** Every charge of any account that took money with this key, from the gateway's books. */
  taken(gatewayKey: string): Promise<Taken[]>;

  /** What the gateway's records say that a charge of this key pays for. */
  recorded(gatewayKey: string): Promise<{ link: string | null; subscription: string | null; period: number | null }>;

  /**
   * Runs `work` while every call to the gateway fails, including the driver's retries:
   * - `lost`: a write takes effect, but no response arrives (reads may fail or not);
   * - `error`: the gateway returns a 500 and does nothing;
   * - `away`: no call reaches the gateway;
   * - `limited`: the gateway answers that it gets too many requests;
   * - `refused`: no connection is made.
   */
  withFault<T>(fault: "lost" | "error" | "away" | "limited" | "refused", work: () => Promise<T>): Promise<T>;

  /** Makes the gateway pay out what the account holds. @returns at least one payout, as `payouts` lists it */
  payOut(): Promise<KnownPayout[]>;

  /** Decides every pending refund, by its card. */
  settleRefunds(): Promise<void>;

  /** Decides every open dispute, by its card. */
  settleDisputes(): Promise<void>;

  /** All callbacks to the account of `gateway` so far, oldest first. Waits for those in flight. */
  callbacks(): Promise<Callback[]>;

  /** A signed callback for the account of `gateway` about an object that Paydesk did not create. */
  irrelevant(): Promise<Callback>;

  /** Card numbers that `act` types; results must not contain one. Those of `card` are always checked. */
  numbers: readonly string[];

  close(): Promise<void>;
}

/** Registers the tests that every driver must pass. */
export function gatewayConformance(name: string, setup: () => Promise<Rig>): void {
  describe(`the ${name} gateway`, () => {
    let rig: Rig;
    const typed = new Set<string>();
    beforeAll(async () => {
      rig = await setup();
      for (const number of rig.numbers) typed.add(number);
    });
    afterAll(() => rig?.close());

    /** Skips a test whose kinds this rig does not support. */
    const itIfSupported = (kinds: Kind[], title: string, work: () => Promise<void>) =>
      it(title, async (context) => {
        const missing = kinds.filter((kind) => !rig.kinds.has(kind));
        context.skip(missing.length > 0, `this gateway's surroundings cannot play: ${missing.join(", ")}`);
        await work();
      });

    const payment = (kind: Kind, over: Partial<PayRequest> = {}): PayRequest => {
      const card = rig.card(kind);
      if (card) typed.add(card.number);
      return {
        gatewayKey: newId("pay"),
        startedAt: new Date(),
        amountCents: 1050,
        currency: "EUR",
        card,
        merchant: "Blue Bottle Books",
        title: "Order 1001",
        about: aboutLink("pl_1"),
        email: "ada@example.com",
        returnPath: "/pay?id=pl_0&wait=1",
        ...over,
      };
    };
    const offSession = (cardRef: string, over: Partial<ChargeSavedRequest> = {}): ChargeSavedRequest => ({
      gatewayKey: newId("pay"),
      startedAt: new Date(),
      amountCents: 1050,
      currency: "EUR",
      cardRef,
      now: new Date(),
      merchant: "Blue Bottle Books",
      title: "Reading club, May",
      about: { linkId: "pl_2", subscriptionId: "sub_1", periodIndex: 0, reference: null },
      ...over,
    });

    /** Checks that a result contains no card number. */
    const withoutCardNumber = <T>(answer: T): T => {
      const text = JSON.stringify(answer);
      for (const number of typed) expect(text).not.toContain(number);
      return answer;
    };

    /** Pays completely, including the gateway's page. Returns the looked-up result. */
    const payAll = async (request: PayRequest, kind: Kind): Promise<LookupResult> => {
      const result = withoutCardNumber(await rig.gateway.pay(request));
      if (result.outcome !== "action") return result;
      await rig.act(result, kind);
      return withoutCardNumber(await rig.gateway.lookup(sent(request, result.ref)));
    };
    const paid = async (kind: Kind, over: Partial<PayRequest> = {}) => {
      const request = payment(kind, over);
      return { request, ...succeeded(await payAll(request, kind)) };
    };
    const saving = (kind: Kind): SaveCardRequest => {
      const card = rig.card(kind);
      if (card) typed.add(card.number);
      const gatewayKey = `${newId("tkn")}-1`;
      const merchant = "Blue Bottle Books";
      const startedAt = new Date();
      return { gatewayKey, startedAt, card, email: "ada@example.com", merchant, returnPath: "/activate/token" };
    };
    const save = async (kind: Kind): Promise<SaveCardResult> => {
      const result = withoutCardNumber(await rig.gateway.saveCard(saving(kind)));
      if (result.outcome !== "action") return result;
      await rig.act(result, kind);
      return withoutCardNumber(await rig.gateway.lookupSave(result.ref));
    };
    const saved = async (kind: Kind): Promise<string> => {
      const result = await save(kind);
      if (result.outcome !== "saved") throw new Error(`the card was not saved: ${JSON.stringify(result)}`);
      return result.ref;
    };
    const refundOf = (
      charge: { request: { currency: string }; ref: string },
      amountCents: number,
      gatewayKey = newId("ref"),
    ) => ({
      gatewayKey,
      startedAt: new Date(),
      chargeRef: charge.ref,
      amountCents,
      currency: charge.request.currency,
    });
    const noMoney = async (key: string) => expect(await rig.taken(key)).toEqual([]);
    const returned = async (key: string) => (await rig.taken(key)).map((charge) => charge.returned);

    describe("a payment", () => {
      it("succeeds, with the card's details, what was booked and a fee of zero or more", async () => {
        const { request, ref, card, booked } = await paid("pays");
        expect(card).toEqual({
          ...{ brand: expect.any(String), last4: expect.stringMatching(/^\d{4}$/) },
          ...{ expMonth: expect.any(Number), expYear: expect.any(Number) },
        });
        if (booked) {
          expect(booked).toMatchObject({ grossCents: 1050, currency: "EUR" });
          expect(booked.feeCents).toBeGreaterThanOrEqual(0);
        }
        expect(ref).not.toBe("");
        expect(await rig.taken(request.gatewayKey)).toEqual([{ units: 10.5, currency: "EUR", returned: 0 }]);
      });

      it("is recorded at the gateway with its link, and with its subscription's period", async () => {
        const { request } = await paid("pays", { about: { ...aboutLink("pl_1"), reference: "INV-2026-001" } });
        expect(await rig.recorded(request.gatewayKey)).toEqual({ link: "pl_1", subscription: null, period: null });
        const charge = offSession(await saved("pays"));
        await rig.gateway.chargeSaved(charge);
        expect(await rig.recorded(charge.gatewayKey)).toEqual({ link: "pl_2", subscription: "sub_1", period: 0 });
      });

      it("is charged once for a key, even if it is repeated", async () => {
        const request = payment("pays");
        const first = await rig.gateway.pay(request);
        const second = await rig.gateway.pay(request);
        expect([second.outcome, second.ref]).toEqual([first.outcome, first.ref]);
        if (first.outcome === "action") await rig.act(first, "pays");
        await orNull(rig.gateway.pay(request));
        expect(succeeded(await rig.gateway.lookup(sent(request, first.ref)))).toBeTruthy();
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      it("is charged once for twenty simultaneous calls with its key", async () => {
        const request = payment("pays");
        const answers = await Promise.allSettled(Array.from({ length: 20 }, () => rig.gateway.pay(request)));
        const results = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
        const [first] = results;
        if (!first) throw new Error("none of twenty got an answer");
        expect(new Set(results.map(({ outcome, ref }) => `${outcome} ${ref}`)).size).toBe(1);
        if (first.outcome === "action") await rig.act(first, "pays");
        expect((await rig.gateway.lookup(sent(request))).outcome).toBe("succeeded");
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      it("is never charged for another amount or currency with the same key", async () => {
        const { request } = await paid("pays");
        for (const over of [{ amountCents: 2_000 }, { currency: "USD" }]) {
          const other = await orNull(rig.gateway.pay({ ...request, ...over }));
          if (other?.outcome === "action") await orNull(rig.act(other, "pays"));
        }
        expect(await rig.taken(request.gatewayKey)).toEqual([{ units: 10.5, currency: "EUR", returned: 0 }]);
      });

      it("charges and refunds the right amount in a currency without a minor unit", async () => {
        expect(rig.gateway.supportsAmount(100_000, "JPY")).toBe(true);
        const charge = await paid("pays", { amountCents: 100_000, currency: "JPY" });
        expect(await rig.taken(charge.request.gatewayKey)).toEqual([{ units: 1000, currency: "JPY", returned: 0 }]);
        await rig.gateway.refund(refundOf(charge, 30_000));
        expect(await returned(charge.request.gatewayKey)).toEqual([300]);
        expect(await rig.gateway.refundsOf(charge.ref)).toMatchObject([{ amountCents: 30_000 }]);
      });

      itIfSupported(["approves"], "succeeds when the payer approves at the bank", async () => {
        const { request } = await paid("approves");
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      itIfSupported(["rejects"], "takes nothing when the payer rejects at the bank", async () => {
        const request = payment("rejects");
        const result = await payAll(request, "rejects");
        expect(["declined", "action"]).toContain(result.outcome);
        if (result.outcome === "declined") expect(result.reason).toBe("authentication_failed");
        expect((await rig.gateway.cancel(sent(request))).outcome).toBe("declined");
        await noMoney(request.gatewayKey);
      });

      it("is declined only for reasons of the closed list", async () => {
        const kinds = [...rig.kinds].filter((kind) => kind.startsWith("declined:"));
        expect(kinds).not.toEqual([]);
        for (const kind of kinds) {
          const request = payment(kind);
          // If the gateway's page stays open for another card, the result stays undecided until it is cancelled.
          const result = await payAll(request, kind);
          if (result.outcome === "declined") expect(`declined:${result.reason}`).toBe(kind);
          else expect(result.outcome).toBe("action");
          const end = withoutCardNumber(await rig.gateway.cancel(sent(request)));
          if (end.outcome !== "declined") throw new Error(`${kind} ended as ${end.outcome}`);
          expect(Object.keys(declineReasons)).toContain(end.reason);
          await noMoney(request.gatewayKey);
        }
      });
    });

    describe("the risk of a payment", () => {
      it("is normal if nothing about it is unusual", async () => {
        expect((await paid("pays")).risk).toBe("normal");
      });

      itIfSupported(["risk_elevated"], "is elevated for a card with an elevated risk, also off-session", async () => {
        const { request, risk } = await paid("risk_elevated");
        expect(risk).toBe("elevated");
        expect(succeeded(await rig.gateway.lookup(sent(request))).risk).toBe("elevated");
        const charge = await rig.gateway.chargeSaved(offSession(await saved("risk_elevated")));
        expect(succeeded(charge).risk).toBe("elevated");
      });

      itIfSupported(["risk_highest"], "is highest for a payment that the gateway blocked", async () => {
        const request = payment("risk_highest");
        await payAll(request, "risk_highest");
        const end = await rig.gateway.cancel(sent(request));
        expect(end).toMatchObject({ outcome: "declined", reason: "card_blocked", risk: "highest" });
        await noMoney(request.gatewayKey);
      });

      it("is null if no card was charged", async () => {
        const request = payment("pays");
        if (rig.gateway.cardForm === null) await rig.gateway.pay(request);
        expect(await rig.gateway.cancel(sent(request))).toMatchObject({ outcome: "declined", risk: null });
      });
    });

    describe("a lookup", () => {
      it("does not find a key that was never sent", async () => {
        expect(await rig.gateway.lookup(sent(payment("pays")))).toEqual({ outcome: "absent" });
        expect(await rig.gateway.lookup(sent(offSession(await saved("pays"))))).toEqual({ outcome: "absent" });
      });

      itIfSupported(
        ["approves"],
        "finds a payer who is at the bank, or at the gateway's page, and where to continue",
        async () => {
          const request = payment("approves");
          const action = acting(await rig.gateway.pay(request));
          // A local fake uses http.
          expect(action.url).toMatch(/^(\/(?![/\\])|https:\/\/|http:\/\/127\.0\.0\.1[:/])/);
          const { at, ref, url } = acting(await rig.gateway.lookup(sent(request, action.ref)));
          expect({ at, ref, url }).toEqual({ at: action.at, ref: action.ref, url: action.url });
        },
      );

      it("finds a succeeded payment by its key alone", async () => {
        const { request, ref } = await paid("pays");
        expect(succeeded(await rig.gateway.lookup(sent(request))).ref).toBe(ref);
      });

      itIfSupported(["declined:card_declined"], "finds by its key alone what was declined", async () => {
        const request = payment("declined:card_declined");
        await payAll(request, "declined:card_declined");
        await rig.gateway.cancel(sent(request));
        expect((await rig.gateway.lookup(sent(request))).outcome).toBe("declined");
      });

      it("finds a payment whose reply was lost, by its key alone", async () => {
        const request = payment("pays");
        await expect(rig.withFault("lost", () => rig.gateway.pay(request))).rejects.toThrow(NoAnswer);
        const found = await rig.gateway.lookup(sent(request));
        if (found.outcome === "action") await rig.act(found, "pays");
        else expect(found.outcome).toBe("succeeded");
        const charge = succeeded(await rig.gateway.lookup(sent(request)));
        const again = await orNull(rig.gateway.pay(request));
        if (again?.outcome === "succeeded") expect(again.ref).toBe(charge.ref);
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      it("finds the charge of a saved card whose reply was lost, by its key alone", async () => {
        const request = offSession(await saved("pays"));
        await expect(rig.withFault("lost", () => rig.gateway.chargeSaved(request))).rejects.toThrow(NoAnswer);
        const { ref } = succeeded(await rig.gateway.lookup(sent(request)));
        expect(succeeded(await rig.gateway.chargeSaved(request)).ref).toBe(ref);
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      it("finds nothing of another account", async () => {
        const { request, ref } = await paid("pays");
        expect((await rig.other.lookup(sent(request))).outcome).toBe("absent");
        expect((await orNull(rig.other.refundsOf(ref))) ?? []).toEqual([]);
        const stolen = await orNull(rig.other.refund(refundOf({ request, ref }, 1050)));
        expect(stolen?.status ?? "failed").toBe("failed");
        expect(await returned(request.gatewayKey)).toEqual([0]);
      });

      it.each(["error", "away"] as const)(
        "throws when the gateway gives no answer (%s), and nothing changes",
        async (fault) => {
          const request = payment("pays");
          await expect(rig.withFault(fault, () => rig.gateway.pay(request))).rejects.toThrow();
          await expect(rig.withFault(fault, () => rig.gateway.lookup(sent(request)))).rejects.toThrow();
          await expect(rig.withFault(fault, () => rig.gateway.cancel(sent(request)))).rejects.toThrow();
          const charge = offSession(await saved("pays"));
          await expect(rig.withFault(fault, () => rig.gateway.chargeSaved(charge))).rejects.toThrow();
          await noMoney(request.gatewayKey);
          await noMoney(charge.gatewayKey);
        },
      );
    });

    describe("a request that the gateway has certainly not executed", () => {
      it.each(["limited", "refused"] as const)(
        "is declined at once, and its link can be paid again (%s)",
        async (fault) => {
          const [request, charge] = [payment("pays"), offSession(await saved("pays"))];
          const results = await rig.withFault(fault, () =>
            Promise.all([
              rig.gateway.pay(request),
              rig.gateway.chargeSaved(charge),
              rig.gateway.saveCard(saving("pays")),
            ]),
          );
          for (const result of results)
            expect(result).toMatchObject({ outcome: "declined", reason: "processing_error" });
          await noMoney(request.gatewayKey);
          await noMoney(charge.gatewayKey);
          expect((await rig.gateway.lookup(sent(request))).outcome).toBe("absent");
        },
      );
    });

    describe("a cancellation", () => {
      itIfSupported(["approves"], "ends what waits for its payer, who can pay nothing any more", async () => {
        const request = payment("approves");
        const action = acting(await rig.gateway.pay(request));
        const end = await rig.gateway.cancel(sent(request, action.ref));
        if (end.outcome !== "declined") throw new Error(`ended as ${end.outcome}`);
        expect(Object.keys(declineReasons)).toContain(end.reason);
        await orNull(rig.act(action, "approves"));
        await noMoney(request.gatewayKey);
        expect((await rig.gateway.lookup(sent(request))).outcome).toBe("declined");
        expect((await rig.gateway.cancel(sent(request))).outcome).toBe("declined");
      });

      it("reports that it is too late when the money has moved", async () => {
        const { request, ref } = await paid("pays");
        expect(succeeded(await rig.gateway.cancel(sent(request))).ref).toBe(ref);
        const charge = offSession(await saved("pays"));
        await rig.gateway.chargeSaved(charge);
        expect((await rig.gateway.cancel(sent(charge))).outcome).toBe("succeeded");
      });

      it("closes an unknown key: a late request charges nothing", async () => {
        const request = payment("pays");
        expect((await rig.gateway.cancel(sent(request))).outcome).toBe("declined");
        const late = await orNull(rig.gateway.pay(request));
        if (late?.outcome === "action") await orNull(rig.act(late, "pays"));
        await noMoney(request.gatewayKey);
        expect((await rig.gateway.lookup(sent(request))).outcome).not.toBe("succeeded");
      });

      it("closes the unknown key of a saved card's charge", async () => {
        const request = offSession(await saved("pays"));
        expect((await rig.gateway.cancel(sent(request))).outcome).toBe("declined");
        await orNull(rig.gateway.chargeSaved(request));
        await noMoney(request.gatewayKey);
      });

      it("and a simultaneous charge report the same outcome", async () => {
        const request = offSession(await saved("pays"));
        const [, end] = await Promise.all([
          orNull(rig.gateway.chargeSaved(request)),
          orNull(rig.gateway.cancel(sent(request))),
        ]);
        const known = await rig.gateway.lookup(sent(request));
        if (end) expect(known.outcome).toBe(end.outcome);
        expect(await rig.taken(request.gatewayKey)).toHaveLength(known.outcome === "succeeded" ? 1 : 0);
      });
    });

    describe("a saved card", () => {
      itIfSupported(["approves"], "comes with a payment, if the payer agrees", async () => {
        for (const kind of ["pays", "approves"] as const) {
          const { request, saved: card } = await paid(kind, { saveCard: true });
          if (!card) throw new Error(`the card was not saved: ${kind}`);
          expect(card.card).toMatchObject({ expMonth: expect.any(Number), expYear: expect.any(Number) });
          expect(succeeded(await rig.gateway.lookup(sent(request))).saved).toEqual(card);
          if (kind === "approves") continue; // its bank may ask again
          const later = withoutCardNumber(await rig.gateway.chargeSaved(offSession(card.ref)));
          expect(succeeded(later).saved).toBeNull();
        }
        expect((await paid("pays")).saved).toBeNull();
      });

      it("is stored with its reference and its displayable details", async () => {
        const result = await save("pays");
        if (result.outcome !== "saved") throw new Error(`the card was not saved: ${result.outcome}`);
        expect(result.card).toEqual({
          brand: expect.any(String),
          last4: expect.stringMatching(/^\d{4}$/),
          expMonth: expect.any(Number),
          expYear: expect.any(Number),
        });
      });

      itIfSupported(["declined:card_declined"], "is not kept when its bank declines it", async () => {
        const result = await save("declined:card_declined");
        expect(result.outcome).not.toBe("saved");
        if (result.outcome === "declined") expect(Object.keys(declineReasons)).toContain(result.reason);
      });

      it("is charged off-session, once for a key", async () => {
        const request = offSession(await saved("pays"));
        const first = succeeded(withoutCardNumber(await rig.gateway.chargeSaved(request)));
        if (first.booked) expect(first.booked.feeCents).toBeGreaterThanOrEqual(0);
        expect(succeeded(await rig.gateway.chargeSaved(request)).ref).toBe(first.ref);
        await orNull(rig.gateway.chargeSaved({ ...request, amountCents: 5_000 }));
        expect(await rig.taken(request.gatewayKey)).toEqual([{ units: 10.5, currency: "EUR", returned: 0 }]);
      });

      it("is charged once for twenty simultaneous calls with the key", async () => {
        const request = offSession(await saved("pays"));
        await Promise.allSettled(Array.from({ length: 20 }, () => rig.gateway.chargeSaved(request)));
        expect((await rig.gateway.lookup(sent(request))).outcome).toBe("succeeded");
        expect(await rig.taken(request.gatewayKey)).toHaveLength(1);
      });

      const refusal = async (kind: Kind): Promise<DeclineReason> => {
        const request = offSession(await saved(kind));
        const result = withoutCardNumber(await rig.gateway.chargeSaved(request));
        if (result.outcome !== "declined") throw new Error(`${kind} ended as ${result.outcome}`);
        expect(result.code).toMatch(/^[a-z_]+$/);
        const { reason, code } = result;
        expect(await rig.gateway.lookup(sent(request))).toMatchObject({ outcome: "declined", reason, code });
        await noMoney(request.gatewayKey);
        return result.reason;
      };

      itIfSupported(["saved_declined"], "is declined for a reason that may pass", async () => {
        expect(declineReasons[await refusal("saved_declined")].hard).toBe(false);
      });

      itIfSupported(["saved_blocked"], "is declined for good", async () => {
        expect(declineReasons[await refusal("saved_blocked")].hard).toBe(true);
      });

      itIfSupported(["saved_asks"], "is declined where the bank wants the payer", async () => {
        expect(await refusal("saved_asks")).toBe("authentication_required");
      });

      it("cannot be used by another account", async () => {
        const request = offSession(await saved("pays"));
        expect((await orNull(rig.other.chargeSaved(request)))?.outcome ?? "declined").toBe("declined");
        await noMoney(request.gatewayKey);
      });

      it("is not charged once it is detached, which can be repeated", async () => {
        const request = offSession(await saved("pays"));
        await rig.other.detachCard(request.cardRef);
        expect((await rig.gateway.chargeSaved(request)).outcome).toBe("succeeded");
        for (const _ of [1, 2]) await rig.gateway.detachCard(request.cardRef);
        const next = { ...request, gatewayKey: newId("pay") };
        const result = await rig.gateway.chargeSaved(next);
        expect(result).toMatchObject({ outcome: "declined", reason: "card_not_supported" });
        await noMoney(next.gatewayKey);
      });

      it("is not detached when the gateway cannot be reached", async () => {
        const request = offSession(await saved("pays"));
        await expect(rig.withFault("away", () => rig.gateway.detachCard(request.cardRef))).rejects.toThrow();
        expect((await rig.gateway.chargeSaved(request)).outcome).toBe("succeeded");
      });

      it("is not charged when it does not exist", async () => {
        const request = offSession("no_such_card");
        expect((await orNull(rig.gateway.chargeSaved(request)))?.outcome ?? "declined").toBe("declined");
        await noMoney(request.gatewayKey);
      });
    });

    describe("a refund", () => {
      it("returns the whole amount or a part", async () => {
        const all = await paid("pays");
        expect(await rig.gateway.refundsOf(all.ref)).toEqual([]);
        const key = newId("ref");
        const refund = withoutCardNumber(await rig.gateway.refund(refundOf(all, 1050, key)));
        expect(refund).toMatchObject({ status: expect.stringMatching(/^(pending|succeeded)$/), failure: null });
        expect(await rig.gateway.refundsOf(all.ref)).toEqual([
          {
            ref: refund.ref,
            gatewayKey: key,
            amountCents: 1050,
            status: refund.status,
            failure: null,
            booked: refund.booked,
          },
        ]);
        expect(await returned(all.request.gatewayKey)).toEqual([10.5]);

        const part = await paid("pays");
        await rig.gateway.refund(refundOf(part, 50));
        await rig.gateway.refund(refundOf(part, 500));
        expect(await returned(part.request.gatewayKey)).toEqual([5.5]);
        expect(await rig.gateway.refundsOf(part.ref)).toHaveLength(2);
      });

      it("works the same for a saved card's charge", async () => {
        const request = offSession(await saved("pays"));
        const { ref } = succeeded(await rig.gateway.chargeSaved(request));
        await rig.gateway.refund(refundOf({ request, ref }, 1050));
        expect(await returned(request.gatewayKey)).toEqual([10.5]);
      });

      it("is never more than was paid", async () => {
        const charge = await paid("pays");
        const refused = async (amountCents: number) =>
          expect((await orNull(rig.gateway.refund(refundOf(charge, amountCents))))?.status ?? "failed").toBe("failed");
        await refused(1051);
        await rig.gateway.refund(refundOf(charge, 1000));
        await refused(51);
        expect(await returned(charge.request.gatewayKey)).toEqual([10]);
        await rig.gateway.refund(refundOf(charge, 50));
        await refused(1);
        expect(await returned(charge.request.gatewayKey)).toEqual([10.5]);
      });

      it("is made once for a key, even when its first response is lost", async () => {
        const charge = await paid("pays");
        const twice = refundOf(charge, 300);
        const first = await rig.gateway.refund(twice);
        expect(await rig.gateway.refund(twice)).toEqual(first);
        const lost = refundOf(charge, 200);
        await expect(rig.withFault("lost", () => rig.gateway.refund(lost))).rejects.toThrow(NoAnswer);
        expect((await rig.gateway.refund(lost)).status).not.toBe("failed");
        await Promise.allSettled(Array.from({ length: 10 }, () => rig.gateway.refund(lost)));
        expect(await returned(charge.request.gatewayKey)).toEqual([5]);
        expect(await rig.gateway.refundsOf(charge.ref)).toHaveLength(2);
      });

      it.each(["error", "away"] as const)("that the gateway did not accept (%s) can be sent again", async (fault) => {
        const charge = await paid("pays");
        const request = refundOf(charge, 300);
        await expect(rig.withFault(fault, () => rig.gateway.refund(request))).rejects.toThrow();
        expect(await returned(charge.request.gatewayKey)).toEqual([0]);
        expect((await rig.gateway.refund(request)).status).not.toBe("failed");
        expect(await returned(charge.request.gatewayKey)).toEqual([3]);
      });

      it("never exceeds the payment, even for twenty simultaneous calls", async () => {
        const charge = await paid("pays");
        const answers = await Promise.allSettled(
          Array.from({ length: 20 }, () => rig.gateway.refund(refundOf(charge, 100))),
        );
        const made = answers.filter(({ status, ...rest }) => {
          return status === "fulfilled" && "value" in rest && rest.value.status !== "failed";
        });
        const [units = 0] = await returned(charge.request.gatewayKey);
        expect(units).toBeLessThanOrEqual(10.5);
        expect(made.length).toBe(units);
      });

      itIfSupported(["refund_pending"], "that takes its time is seen as pending, then as made", async () => {
        const charge = await paid("refund_pending");
        const request = refundOf(charge, 400);
        const { ref, status } = await rig.gateway.refund(request);
        expect(status).toBe("pending");
        expect(await rig.gateway.refundsOf(charge.ref)).toMatchObject([{ ref, status: "pending", amountCents: 400 }]);
        await rig.settleRefunds();
        expect(await rig.gateway.refundsOf(charge.ref)).toMatchObject([
          { ref, gatewayKey: request.gatewayKey, status: "succeeded", failure: null },
        ]);
      });

      itIfSupported(["refund_fails"], "that the bank sends back is seen as failed, and why", async () => {
        const charge = await paid("refund_fails");
        const request = refundOf(charge, 400);
        const { ref } = await rig.gateway.refund(request);
        await rig.settleRefunds();
        const [known, ...more] = await rig.gateway.refundsOf(charge.ref);
        expect(more).toEqual([]);
        expect(known).toMatchObject({ ref, gatewayKey: request.gatewayKey, amountCents: 400, status: "failed" });
        expect(Object.keys(refundFailures)).toContain(known?.failure);
      });
    });

    describe("a dispute", () => {
      const refused = async (charge: { request: PayRequest; ref: string }, failure: string) => {
        expect(await rig.gateway.refund(refundOf(charge, 1050))).toMatchObject({ status: "failed", failure });
        expect(await returned(charge.request.gatewayKey)).toEqual([0]);
      };

      it("is none of a payment that its payer accepts", async () => {
        expect(await rig.gateway.disputesOf((await paid("pays")).ref)).toEqual([]);
      });

      itIfSupported(["dispute_won"], "holds the money until it is won, and no refund is made meanwhile", async () => {
        const charge = await paid("dispute_won");
        const [open, ...more] = await rig.gateway.disputesOf(charge.ref);
        expect(more).toEqual([]);
        expect(open).toMatchObject({ amountCents: 1050, currency: "EUR", status: "needs_response" });
        expect(Object.keys(disputeReasons)).toContain(open?.reason);
        expect(open?.respondBy?.getTime()).toBeGreaterThan(Date.now());
        expect(open?.openedAt).toBeInstanceOf(Date);
        const [withdrawn] = open?.movements ?? [];
        expect(open?.movements).toEqual([expect.objectContaining({ kind: "withdrawn", amountCents: 1050 })]);
        expect(withdrawn?.currency).toBe("EUR");
        expect(withdrawn?.feeCents).toBeGreaterThan(0);
        await refused(charge, "payment_disputed");

        await rig.settleDisputes();
        const [won] = await rig.gateway.disputesOf(charge.ref);
        expect(won).toMatchObject({ ref: open?.ref, status: "won" });
        expect(won?.movements).toEqual([withdrawn, expect.objectContaining({ kind: "returned", amountCents: 1050 })]);
        expect(won?.movements[1]?.ref).not.toBe(withdrawn?.ref);
        expect((await rig.gateway.refund(refundOf(charge, 1050))).status).toBe("succeeded");
      });

      itIfSupported(["dispute_lost"], "keeps the money when it is lost, and no refund is made after it", async () => {
        const charge = await paid("dispute_lost");
        await rig.settleDisputes();
        const [lost] = await rig.gateway.disputesOf(charge.ref);
        expect(lost).toMatchObject({ status: "lost", movements: [{ kind: "withdrawn", amountCents: 1050 }] });
        await refused(charge, "payment_disputed");
      });

      itIfSupported(["dispute_inquiry"], "moves no money as an inquiry, which a refund can settle", async () => {
        const charge = await paid("dispute_inquiry");
        expect(await rig.gateway.disputesOf(charge.ref)).toMatchObject([
          { amountCents: 1050, status: "inquiry_needs_response", movements: [] },
        ]);
        expect((await rig.gateway.refund(refundOf(charge, 50))).status).toBe("succeeded");
        await rig.settleDisputes();
        expect(await rig.gateway.disputesOf(charge.ref)).toMatchObject([{ status: "inquiry_closed", movements: [] }]);
        expect((await rig.gateway.refund(refundOf(charge, 1000))).status).toBe("succeeded");
      });

      itIfSupported(["dispute_won"], "is found without its callback, by the account it belongs to", async () => {
        const since = new Date(Date.now() - 60_000);
        const { request, ref } = await paid("dispute_won");
        const [dispute] = await rig.gateway.disputesOf(ref);
        const wanted = { key: request.gatewayKey, ref: dispute?.ref };
        expect(await rig.gateway.disputedSince(since)).toContainEqual(wanted);
        expect(await rig.gateway.disputedSince(new Date(Date.now() + 86_400_000))).toEqual([]);
        expect(await rig.other.disputedSince(since)).toEqual([]);
        expect((await orNull(rig.other.disputesOf(ref))) ?? []).toEqual([]);
      });

      itIfSupported(["dispute_won"], "sends a callback that names its payment", async () => {
        const { request } = await paid("dispute_won");
        const calls = await rig.callbacks();
        const notices = await Promise.all(calls.map(({ body, headers }) => rig.gateway.readCallback(body, headers)));
        expect(notices).toContainEqual({ about: "dispute", key: request.gatewayKey });
      });
    });

    describe("a list of what the gateway has", () => {
      const minuteAgo = () => new Date(Date.now() - 60_000);
      const chargesOf = async (key: string, gateway = rig.gateway, from = minuteAgo()) => {
        const all = await allOf(gateway.chargesSince(from));
        return all.filter(({ gatewayKey }) => gatewayKey === key);
      };

      it("has each charge that took money, and what it is for", async () => {
        const { request, ref } = await paid("pays");
        const saying = { accountId: rig.gateway.accountId, amountCents: 1050, currency: "EUR", status: "succeeded" };
        expect(await chargesOf(request.gatewayKey)).toEqual([
          {
            ...{ gatewayKey: request.gatewayKey, ref, ...saying, createdAt: expect.any(Date) },
            ...{ linkId: "pl_1", subscriptionId: null, periodIndex: null },
          },
        ]);
        const charge = offSession(await saved("pays"));
        const made = succeeded(await rig.gateway.chargeSaved(charge));
        const [listed, ...more] = await chargesOf(charge.gatewayKey);
        expect(more).toEqual([]);
        const of = { linkId: "pl_2", subscriptionId: "sub_1", periodIndex: 0 };
        expect(listed).toMatchObject({ ref: made.ref, ...saying, ...of });
        expect(Math.abs((listed?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
        expect(await chargesOf(charge.gatewayKey, rig.other)).toEqual([]);
        expect(await chargesOf(charge.gatewayKey, rig.gateway, new Date(Date.now() + 60_000))).toEqual([]);
      });

      itIfSupported(["approves"], "has what its payer may still pay, until it is cancelled", async () => {
        const request = payment("approves");
        const { ref } = acting(await rig.gateway.pay(request));
        expect(await chargesOf(request.gatewayKey)).toMatchObject([{ ref, status: "open", linkId: "pl_1" }]);
        await rig.gateway.cancel(sent(request, ref));
        expect(await chargesOf(request.gatewayKey)).toEqual([]);
      });

      itIfSupported(["saved_declined"], "lacks what was declined", async () => {
        const request = offSession(await saved("saved_declined"));
        await rig.gateway.chargeSaved(request);
        expect(await chargesOf(request.gatewayKey)).toEqual([]);
      });

      it("has more charges than one page", async () => {
        const cardRef = await saved("pays");
        const requests = Array.from({ length: 105 }, () => offSession(cardRef));
        for (const request of requests) await rig.gateway.chargeSaved(request);
        const listed = new Set((await allOf(rig.gateway.chargesSince(minuteAgo()))).map((one) => one.gatewayKey));
        expect(requests.filter(({ gatewayKey }) => !listed.has(gatewayKey))).toEqual([]);
      });

      it("has each refund, with the key of its charge", async () => {
        const charge = await paid("pays");
        const { ref } = await rig.gateway.refund(refundOf(charge, 400));
        const refunds = await allOf(rig.gateway.refundsSince(minuteAgo()));
        expect(refunds).toContainEqual({ ref, chargeKey: charge.request.gatewayKey });
        expect(await allOf(rig.other.refundsSince(minuteAgo()))).not.toContainEqual(expect.objectContaining({ ref }));
      });

      it.each(["error", "away"] as const)("fails when the gateway gives no answer (%s)", async (fault) => {
        const list = (rows: AsyncIterable<unknown>) => rig.withFault(fault, () => allOf(rows));
        await expect(list(rig.gateway.chargesSince(minuteAgo()))).rejects.toThrow();
        await expect(list(rig.gateway.refundsSince(minuteAgo()))).rejects.toThrow();
      });
    });

    describe("the balance", () => {
      const entriesOf = async (of: EntriesOf): Promise<KnownEntry[]> => {
        const all: KnownEntry[] = [];
        let cursor: string | null = null;
        do {
          const page: GatewayPage<KnownEntry> = await rig.gateway.balanceEntries(of, cursor);
          all.push(...page.rows);
          cursor = page.next;
        } while (cursor !== null);
        return all;
      };

      it("is the sum of its entries, to the cent, each listed once", async () => {
        const from = new Date(Date.now() - 86_400_000);
        const charge = await paid("pays");
        const { ref } = await rig.gateway.refund(refundOf(charge, 300));
        const entries = await entriesOf({ from, before: null });
        expect(new Set(entries.map((entry) => entry.ref)).size).toBe(entries.length);
        const sums = new Map<string, number>();
        for (const { amountCents, feeCents, currency } of entries)
          sums.set(currency, (sums.get(currency) ?? 0) + amountCents - feeCents);
        for (const { amountCents, currency } of await rig.gateway.balance())
          expect([currency, amountCents]).toEqual([currency, sums.get(currency) ?? 0]);
        const own = entries.filter(({ chargeRef }) => chargeRef === charge.ref);
        const { feeCents = null } = charge.booked ?? {};
        const about = { chargeRef: charge.ref, gatewayKey: charge.request.gatewayKey, currency: "EUR" };
        expect(own).toContainEqual(expect.objectContaining({ ...about, type: "charge", amountCents: 1050, feeCents }));
        expect(own).toContainEqual(
          expect.objectContaining({ ...about, type: "refund", amountCents: -300, sourceRef: ref }),
        );
        const later = new Date(Date.now() + 86_400_000);
        expect(await entriesOf({ from: later, before: null })).toEqual([]);
        expect(await entriesOf({ from: new Date(0), before: from })).toEqual([]);
      });

      it("has payouts, each with what is in it", async () => {
        await paid("pays");
        for (const payout of await rig.payOut()) {
          const inside = (await entriesOf({ payoutRef: payout.ref })).filter(({ type }) => type !== "payout");
          expect(inside.length).toBeGreaterThan(0);
          const sum = inside.reduce((total, { amountCents, feeCents }) => total + amountCents - feeCents, 0);
          expect(sum).toBe(payout.amountCents);
        }
      });
    });

    describe("a callback", () => {
      /** The notices of every callback that the gateway's account accepts. */
      const notices = async () => {
        const all = await rig.callbacks();
        return Promise.all(
          all.map(async (one) => ({ ...one, notice: await rig.gateway.readCallback(one.body, one.headers) })),
        );
      };
      const about = async (key: string) => (await notices()).filter(({ notice }) => notice?.key === key);

      it("names its payment: a payer's, a saved card's, a refunded one", async () => {
        const charge = await paid("pays");
        const { gatewayKey } = charge.request;
        const request = offSession(await saved("pays"));
        await rig.gateway.chargeSaved(request);
        expect(await about(gatewayKey)).toContainEqual(
          expect.objectContaining({ notice: { about: "payment", key: gatewayKey } }),
        );
        if (rig.sendsOffSessionCallbacks) expect(await about(request.gatewayKey)).not.toEqual([]);
        const before = (await about(gatewayKey)).length;
        await rig.gateway.refund(refundOf(charge, 100));
        expect((await about(gatewayKey)).length).toBeGreaterThan(before);
        for (const { body } of await rig.callbacks()) withoutCardNumber(body);
      });

      it("is refused when it is forged, changed or old", async () => {
        const { request } = await paid("pays");
        const [good] = await about(request.gatewayKey);
        if (!good) throw new Error("there is no callback about the payment");
        const { body, headers } = good;
        const forged = async (gateway: Gateway, changed: string, sentWith: Headers) =>
          expect(gateway.readCallback(changed, sentWith)).rejects.toThrow(ForgedCallback);
        await forged(rig.gateway, body.replace(request.gatewayKey, newId("pay")), headers);
        await forged(rig.gateway, `${body} `, headers);
        await forged(rig.gateway, body, new Headers());
        await forged(rig.gateway, body, new Headers([...headers].map(([name]) => [name, "v1,AAAA"])));
        await forged(rig.other, body, headers);
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * 60_000 });
        try {
          await forged(rig.gateway, body, headers);
        } finally {
          vi.useRealTimers();
        }
      });

      it("names its card when the payer saves it on the gateway's page", async () => {
        const request = saving("pays");
        const result = await rig.gateway.saveCard(request);
        if (result.outcome !== "action") return;
        await rig.act(result, "pays");
        const cards = (await notices()).filter(({ notice }) => notice?.about === "card");
        expect(cards.some(({ notice }) => notice && request.gatewayKey.startsWith(notice.key))).toBe(true);
      });

      it("about anything else is ignored", async () => {
        const { body, headers } = await rig.irrelevant();
        expect(await rig.gateway.readCallback(body, headers)).toBeNull();
      });
    });
  });
}

/** The attempt as stored in the ledger; without `ref` when no response returned one. */
function sent(request: PayRequest | ChargeSavedRequest, ref: string | null = null): SentAttempt {
  const { gatewayKey, startedAt, amountCents, currency } = request;
  return { gatewayKey, startedAt, amountCents, currency, ref, cardRef: "cardRef" in request ? request.cardRef : null };
}

function succeeded(result: LookupResult) {
  if (result.outcome !== "succeeded") throw new Error(`did not succeed: ${JSON.stringify(result)}`);
  return result;
}

function acting(result: LookupResult) {
  if (result.outcome !== "action") throw new Error(`no action: ${JSON.stringify(result)}`);
  return result;
}

/** The result, or null when the call rejects: both are correct when no money may move. */
function orNull<T>(work: Promise<T>): Promise<T | null> {
  return work.catch(() => null);
}

async function allOf<T>(listed: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of listed) all.push(one);
  return all;
}
