import { existsSync, readdirSync } from "node:fs";
import { createElement, isValidElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { activateFormDocument } from "@/components/payer/activate-documents";
import { PayForm } from "@/components/payer/pay-form";
import type { Gateway, GatewayName } from "@/lib/gateways/gateway";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { gatewayFor } from "@/lib/ledger/gateways";
import { plainBrand } from "@/lib/resources/settings/brand";
import { payerTexts } from "@/messages/payer/texts";

// Card numbers of live mode must never reach this server: payers type them at the gateway. Only the sandbox, which is for test
// mode, has card fields.

const account = (livemode: boolean) => ({
  ...{ id: "gwa_1", businessId: 1, livemode, externalId: "acct_1", secretKey: "sk_1", webhookSecret: null, sealed: "" },
  ...{ refusedCalls: [], mark: { comparedUntil: new Date(0), database: "1" } },
});

/** The drivers of live mode, each by the name of its folder. */
const live: Record<Exclude<GatewayName, "sandbox">, (livemode: boolean) => Gateway> = {
  stripe: (livemode) => stripeGateway(account(livemode)),
};

/** The names of the fields that a payer types into, on both forms. */
function fieldsOf({ cardForm: form }: Gateway, livemode: boolean): string[] {
  const cardForm = form !== null;
  const link = {
    id: "pl_1",
    title: "Order",
    description: null,
    amount: "€10.50",
    tax: null,
    amount_cents: "1050",
    currency: "EUR",
    tax_basis_points: null,
    transfer_path: "/pay?id=pl_1&transfer=1",
  };
  const merchant = { business: "Books", testmode: !livemode, brand: plainBrand };
  const pay = createElement(PayForm, { t: payerTexts.en, link, merchant, cardForm, awaiting: true });
  const business = { name: "Books", ...plainBrand, test_clock_ahead: 0n, gateway_accounts: [] };
  const { body } = activateFormDocument({
    tokenization: {
      ...{ id: "tkn_1", business_id: 1, token: "t", livemode, status: "pending", email: "ada@example.com", business },
      ...{ title: "Card", description: "Later", redirect_url: null, setup_ref: null },
      ...{
        created_at: new Date(0),
        expires_at: new Date(0),
        gateway_account_id: null,
        card_brand: null,
        card_last4: null,
        language: "en",
      },
    },
    charges: { due: [], totals: [], next: [] },
    cardForm,
  });
  if (!isValidElement(body)) throw new Error("the activation form is no element");
  return [pay, body].flatMap((page) => {
    const inputs = renderToStaticMarkup(page).match(/<(input|select|textarea)\b[^>]*>/g) ?? [];
    return inputs
      .filter((input) => !input.includes('type="hidden"'))
      .map((input) => / name="(\w+)"/.exec(input)?.[1] ?? "");
  });
}

const card = ["number", "expiry", "cvc", "holder"];

it.each(Object.entries(live))("the driver %s shows no card field, in either mode", (name, driver) => {
  for (const livemode of [true, false]) {
    const gateway = driver(livemode);
    expect([gateway.name, gateway.cardForm, fieldsOf(gateway, livemode)]).toEqual([name, null, []]);
    const withFields = { ...gateway, cardForm: sandbox("1").cardForm };
    expect(fieldsOf(withFields, livemode), "the search finds card fields").toEqual([...card, ...card]);
  }
});

it("knows every driver", () => {
  const drivers = readdirSync("lib/gateways").filter((name) => existsSync(`lib/gateways/${name}/driver.ts`));
  expect(drivers.sort()).toEqual([...Object.keys(live), "sandbox"].sort());
});

it("the sandbox is for test mode: live mode without an account has no gateway", async () => {
  const withoutAccount = { business_id: 1, gateway_account_id: null };
  expect(await gatewayFor({ ...withoutAccount, livemode: true })).toBeNull();
  const test = await gatewayFor({ ...withoutAccount, livemode: false });
  expect(test && [test.name, fieldsOf(test, false)]).toEqual(["sandbox", [...card, ...card]]);
});
