import type { Locator, Page } from "@playwright/test";
import { makeTestCode } from "./form-codes";
import { makeEndpoint, makePackage, makeSubscription } from "./form-rows";
import { makeAttempt, makeManualPayment, makePaidLink } from "./money-rows";
import { insertUnknownCharge } from "./samples";
import { makeLink, password, type Staff } from "./staff";

/** A form of the dashboard: how to open it, how to fill it, and how to read its effect from the API. */
export interface FormCase {
  /** The form's file, and its index there. */
  file: string;
  name: string;
  /** @returns the form */
  open: (page: Page, staff: Staff) => Promise<Locator>;
  fill: (form: Locator, staff: Staff) => Promise<void>;
  button: string;
  /** The button of the confirmation dialog. */
  confirm?: string;
  method?: "POST" | "PUT";
  /** The request sets an absolute state, so that a repetition has no effect. */
  absolute?: boolean;
  /** Relative to /api. */
  path: RegExp;
  readEffect: (get: (path: string) => Promise<Row>, staff: Staff) => Promise<unknown>;
  /** The result of `readEffect` after exactly one effect. */
  expectedEffect: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: responses of many endpoints
export type Row = any;

const form = (page: Page, name: string) => page.getByRole("form", { name, exact: true });
const mismatch = {
  settled_by: "Anna Berg",
  settled_reason: "Not at Stripe",
  mismatch_at: new Date(),
  reason: "processing_error",
};
const count = (rows: Row[], matches: (row: Row) => boolean = () => true): number => rows.filter(matches).length;

async function opened(page: Page, path: string, button: string, name: string): Promise<Locator> {
  await page.goto(path);
  await page.getByRole("button", { name: button }).first().click();
  return form(page, name);
}

async function ofMenu(page: Page, path: string, menu: string | RegExp, item: string, name: string): Promise<Locator> {
  await page.goto(path);
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
  return form(page, name);
}

const section = (name: string) => async (page: Page) => {
  if (new URL(page.url()).pathname !== "/settings") await page.goto("/settings");
  return form(page, name);
};

const endpointSheet = (item: string, name: string) => async (page: Page, staff: Staff) => {
  const id = await makeEndpoint(staff);
  return ofMenu(page, `/developers/webhooks/${id}`, "Actions for this endpoint", item, name);
};

export const formCases: FormCase[] = [
  {
    file: "payment-links/payment-link-form.tsx",
    name: "create",
    open: (page) => opened(page, "/payment-links", "Create payment link", "New payment link"),
    fill: async (form) => {
      await form.getByLabel("Amount").fill("12.34");
      await form.getByLabel("Title").fill("Typed once");
      await form.getByLabel("Payer’s e-mail").fill("payer@example.com");
      await form.getByLabel("Description").fill("Two books");
    },
    button: "Create payment link",
    path: /\/payment-links$/,
    readEffect: async (get) => count(await get("/payment-links")),
    expectedEffect: 1,
  },
  {
    file: "payment-links/payment-link-form.tsx",
    name: "edit",
    open: async (page, staff) => {
      const { id } = await makeLink(staff.businessId);
      return ofMenu(page, `/payment-links/${id}`, "Actions for Order 1001", "Edit", "Edit payment link");
    },
    fill: (form) => form.getByLabel("Title").fill("Order 1001, changed"),
    button: "Save changes",
    method: "PUT",
    path: /\/payment-links\/pl_\w+$/,
    readEffect: async (get) => (await get("/payment-links"))[0].title,
    expectedEffect: "Order 1001, changed",
  },
  {
    file: "tokenizations/create-tokenization.tsx",
    name: "create",
    open: (page) => opened(page, "/tokenizations", "Create tokenization", "New tokenization"),
    fill: async (form) => {
      await form.getByLabel("Payer’s e-mail").fill("payer@example.com");
      await form.getByLabel("Title").fill("Card on file");
      await form.getByLabel("Description").fill("For later orders");
    },
    button: "Create tokenization",
    path: /\/tokenizations\/create-token$/,
    readEffect: async (get) => count(await get("/tokenizations")),
    expectedEffect: 1,
  },
  {
    file: "customers/edit-name.tsx",
    name: "edit",
    open: async (page, staff) => {
      await makeLink(staff.businessId, { email: "ada@example.com" });
      return opened(page, "/customers/ada%40example.com", "Add name", "Edit name");
    },
    fill: (form) => form.getByLabel("Name").fill("Ada Lovelace"),
    button: "Save name",
    method: "PUT",
    path: /\/customers\/ada(@|%40)example\.com$/,
    readEffect: async (get) => (await get("/customers"))[0].name,
    expectedEffect: "Ada Lovelace",
  },
  {
    file: "customers/change-email.tsx",
    name: "change",
    open: async (page, staff) => {
      await makeLink(staff.businessId, { email: "ada@example.com" });
      return opened(page, "/customers/ada%40example.com", "Change e-mail", "Change e-mail");
    },
    fill: (form) => form.getByLabel("New e-mail").fill("ada@lovelace.example"),
    button: "Change e-mail",
    path: /\/customers\/ada(@|%40)example\.com\/change-email$/,
    readEffect: async (get) => (await get("/payment-links"))[0].email,
    expectedEffect: "ada@lovelace.example",
  },
  {
    file: "packages/package-form.tsx",
    name: "create",
    open: (page) => opened(page, "/packages", "Create package", "New package"),
    fill: async (form) => {
      await form.getByLabel("Name").fill("Reading club");
      await form.getByLabel("Amount each period").fill("15.00");
    },
    button: "Create package",
    path: /\/packages$/,
    readEffect: async (get) => count(await get("/packages")),
    expectedEffect: 1,
  },
  {
    file: "packages/package-form.tsx",
    name: "edit",
    open: async (page, staff) => {
      await makePackage(staff);
      return opened(page, "/packages", "Edit Reading club", "Edit package");
    },
    fill: (form) => form.getByLabel("Name").fill("Writing club"),
    button: "Save package",
    method: "PUT",
    path: /\/packages\/pkg_\w+$/,
    readEffect: async (get) => (await get("/packages"))[0].name,
    expectedEffect: "Writing club",
  },
  {
    file: "subscriptions/subscription-form.tsx",
    name: "create",
    open: async (page, staff) => {
      await makePackage(staff);
      return opened(page, "/subscriptions", "Create subscription", "New subscription");
    },
    fill: async (form) => {
      await form.getByLabel("Customer’s e-mail").fill("reader@example.com");
      await form.getByLabel("Phone").fill("+49 1555");
    },
    button: "Create subscription",
    path: /\/subscriptions$/,
    readEffect: async (get) => count(await get("/subscriptions")),
    expectedEffect: 1,
  },
  {
    file: "subscriptions/change-contact.tsx",
    name: "change e-mail or phone",
    open: async (page, staff) => {
      const id = await makeSubscription(staff);
      return ofMenu(page, `/subscriptions/${id}`, "More actions", "Change e-mail or phone", "Change e-mail or phone");
    },
    fill: (form) => form.getByLabel("Customer’s e-mail").fill("moved@example.com"),
    button: "Save changes",
    method: "PUT",
    path: /\/subscriptions\/sub_\w+$/,
    readEffect: async (get) => (await get("/subscriptions"))[0].email,
    expectedEffect: "moved@example.com",
  },
  {
    file: "payments/refund-form.tsx",
    name: "refund",
    open: async (page, staff) => {
      const { id } = await makePaidLink(staff, {});
      await page.goto(`/payment-links/${id}`);
      await page.getByRole("button", { name: "Refund" }).first().click();
      return form(page, "Refund");
    },
    fill: async (form) => {
      await form.getByLabel("Amount in EUR").fill("5.00");
      await form.getByLabel("Reason").fill("One book was missing");
    },
    button: "Refund",
    confirm: "Refund",
    path: /\/payment-links\/pl_\w+\/refunds$/,
    readEffect: async (get) => count(await get("/refunds")),
    expectedEffect: 1,
  },
  {
    file: "payments/settle-form.tsx",
    name: "settle",
    open: async (page, staff) => {
      const link = await makeLink(staff.businessId, { status: "Processing" });
      // Without an account, the gateway cannot be asked.
      const begun = { gateway: "stripe", started_at: new Date(Date.now() - 120_000) };
      const { id } = await makeAttempt(link, { ...begun, status: "unknown" });
      await page.goto(`/payments/${id}`);
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Settle by hand…" }).click();
      return form(page, "Settle by hand");
    },
    fill: (form) => form.getByLabel("Reason").fill("Not in the gateway’s dashboard"),
    button: "Settle payment",
    path: /\/payments\/pay_\w+\/settle$/,
    readEffect: async (get) => (await get("/payments"))[0].settled_reason,
    expectedEffect: "Not in the gateway’s dashboard",
  },
  {
    file: "payments/mismatch-form.tsx",
    name: "resolve a mismatch",
    open: async (page, staff) => {
      const link = await makeLink(staff.businessId);
      const { id } = await makeAttempt(link, { ...mismatch, status: "failed", settled_at: new Date() });
      return opened(page, `/payments/${id}`, "Resolve mismatch", "Resolve mismatch");
    },
    fill: async (form) => {
      await form.getByLabel("It counts as").selectOption("acknowledged");
      await form.getByLabel("Note").fill("Refunded at Stripe");
    },
    button: "Save decision",
    path: /\/payments\/pay_\w+\/resolve-mismatch$/,
    readEffect: async (get) => (await get("/payments"))[0].mismatch_note,
    expectedEffect: "Refunded at Stripe",
  },
  {
    file: "payment-links/mark-paid-form.tsx",
    name: "mark as paid",
    open: async (page, staff) => {
      const { id } = await makeLink(staff.businessId);
      return ofMenu(page, `/payment-links/${id}`, "Actions for Order 1001", "Mark as paid…", "Mark as paid");
    },
    fill: (form) => form.getByLabel("Reference").fill("Statement 47"),
    button: "Mark €10.50 as paid",
    path: /\/payment-links\/pl_\w+\/mark-paid$/,
    readEffect: async (get) => count(await get("/payments")),
    expectedEffect: 1,
  },
  {
    file: "payments/reverse-form.tsx",
    name: "reverse",
    open: async (page, staff) => {
      const { id } = await makeManualPayment(staff);
      return opened(page, `/payments/${id}`, "Reverse", "Reverse payment");
    },
    fill: (form) => form.getByLabel("Reason").fill("The cheque bounced"),
    button: "Reverse payment",
    path: /\/payments\/pay_\w+\/reverse$/,
    readEffect: async (get) => count(await get("/payments"), ({ status }) => status === "reversed"),
    expectedEffect: 1,
  },
  {
    file: "overview/acknowledge-form.tsx",
    name: "acknowledge",
    open: async (page, staff) => {
      const { id } = await makeLink(staff.businessId);
      await insertUnknownCharge({ _id: id });
      return opened(page, "/", "Acknowledge", "Acknowledge");
    },
    fill: (form) => form.getByLabel("What you did").fill("Refunded in Stripe’s dashboard"),
    button: "Acknowledge",
    absolute: true,
    path: /\/unknown-charges\/uch_\w+\/acknowledge$/,
    readEffect: async (get) => (await get("/unknown-charges"))[0].note,
    expectedEffect: "Refunded in Stripe’s dashboard",
  },
  {
    file: "settings/bank-form.tsx",
    name: "bank transfers",
    open: section("Bank transfers"),
    fill: async (form) => {
      await form.getByLabel("Account holder").fill("Blue Bottle Books GmbH");
      await form.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 00");
    },
    button: "Save",
    method: "PUT",
    absolute: true,
    path: /\/settings$/,
    readEffect: async (get) => (await get("/settings")).bank_iban,
    expectedEffect: "DE89370400440532013000",
  },
  {
    file: "api-keys/key-form.tsx",
    name: "create",
    open: (page) => opened(page, "/developers/keys", "Create API key", "New API key"),
    fill: (form) => form.getByLabel("Name").fill("Web shop"),
    button: "Create API key",
    path: /\/api-keys$/,
    readEffect: async (get) => count(await get("/api-keys")),
    expectedEffect: 1,
  },
  {
    file: "webhook-endpoints/endpoint-form.tsx",
    name: "create",
    open: (page) => opened(page, "/developers/webhooks", "Create webhook endpoint", "New endpoint"),
    fill: async (form) => {
      await form.getByLabel("URL").fill("https://shop.example.com/hook");
      await form.getByLabel("Description").fill("The shop");
    },
    button: "Create webhook endpoint",
    path: /\/webhook-endpoints$/,
    readEffect: async (get) => count(await get("/webhook-endpoints")),
    expectedEffect: 1,
  },
  {
    file: "webhook-endpoints/endpoint-form.tsx",
    name: "edit",
    open: endpointSheet("Edit", "Edit endpoint"),
    fill: (form) => form.getByLabel("Description").fill("The other shop"),
    button: "Save endpoint",
    method: "PUT",
    path: /\/webhook-endpoints\/whe_\w+$/,
    readEffect: async (get) => (await get("/webhook-endpoints"))[0].description,
    expectedEffect: "The other shop",
  },
  {
    file: "webhook-endpoints/rotate-secret.tsx",
    name: "rotate",
    open: endpointSheet("Rotate secret", "Rotation"),
    fill: async (form) => {
      await form.getByLabel("Old secret expires").selectOption("72");
    },
    button: "Rotate secret",
    path: /\/rotate-secret$/,
    readEffect: async (get) =>
      count(await get("/audit-log"), ({ action }) => action === "webhook_endpoint.secret_rotated"),
    expectedEffect: 1,
  },
  {
    file: "webhook-endpoints/send-sample.tsx",
    name: "sample",
    open: async (page, staff) => {
      const id = await makeEndpoint(staff);
      await page.goto(`/developers/webhooks/${id}`);
      await page.getByRole("button", { name: "Send test event" }).click();
      return form(page, "Test event");
    },
    fill: async (form) => {
      await form.getByLabel("Type").selectOption("subscription.renewed");
    },
    button: "Send test event",
    path: /\/sample$/,
    readEffect: async (get) => {
      const [{ _id }] = await get("/webhook-endpoints");
      return count(await get(`/webhook-endpoints/${_id}/deliveries`));
    },
    expectedEffect: 1,
  },
  {
    file: "webhook-endpoints/redeliver-failed.tsx",
    name: "redeliver",
    open: endpointSheet("Redeliver failed events", "Redelivery"),
    fill: async (form) => {
      await form.getByLabel("Created in").selectOption("168");
    },
    button: "Redeliver",
    path: /\/redeliver$/,
    readEffect: async () => 0,
    expectedEffect: 0,
  },
  {
    file: "team/invite-form.tsx",
    name: "invite",
    open: (page) => opened(page, "/team", "Invite teammate", "Invite teammate"),
    fill: async (form, { userId }) => {
      await form.getByLabel("E-mail").fill(`${userId}@colleague.example.com`);
      await form.getByLabel("Support").check();
    },
    button: "Invite",
    path: /\/team\/invitations$/,
    readEffect: async (get) => count(await get("/team/invitations")),
    expectedEffect: 1,
  },
  {
    file: "account/name-form.tsx",
    name: "name",
    open: async (page) => {
      await page.goto("/account");
      return form(page, "Profile");
    },
    fill: (form) => form.getByLabel("Name").fill("Ada King"),
    button: "Save",
    method: "PUT",
    path: /\/account$/,
    readEffect: async (get) => (await get("/account")).name,
    expectedEffect: "Ada King",
  },
  {
    file: "account/password-form.tsx",
    name: "password",
    open: async (page) => {
      await page.goto("/account");
      return form(page, "Password");
    },
    fill: async (form) => {
      await form.getByLabel("Current password").fill(password);
      await form.getByLabel("New password").fill("another fine password");
    },
    button: "Change password",
    method: "PUT",
    path: /\/account\/password$/,
    readEffect: async (get) => count(await get("/audit-log"), ({ action }) => action === "account.password_changed"),
    expectedEffect: 1,
  },
  {
    file: "account/begin-two-factor.tsx",
    name: "begin",
    open: (page) => opened(page, "/account", "Turn on", "Set up"),
    fill: async () => undefined,
    button: "Continue",
    path: /\/account\/two-factor$/,
    readEffect: async (get) => (await get("/account")).two_factor,
    expectedEffect: false,
  },
  {
    file: "account/begin-two-factor.tsx",
    name: "confirm",
    open: async (page) => {
      const begin = await opened(page, "/account", "Turn on", "Set up");
      await begin.getByRole("button", { name: "Continue" }).click();
      return form(page, "Confirm");
    },
    fill: async (form) => form.getByLabel("Code").fill(await makeTestCode(form)),
    button: "Turn on",
    method: "PUT",
    path: /\/account\/two-factor$/,
    readEffect: async (get) => (await get("/account")).recovery_codes_left,
    expectedEffect: 10,
  },
  {
    file: "test-clock/clock-controls.tsx",
    name: "advance",
    open: async (page) => {
      await page.goto("/payment-links");
      await page.getByRole("button", { name: "Test mode" }).click();
      return form(page, "Advance to a time");
    },
    fill: (form) => form.getByLabel("Advance to", { exact: true }).fill("2027-03-01T00:00"),
    button: "Advance",
    absolute: true,
    path: /\/test-clock$/,
    readEffect: async (get) => String((await get("/test-clock")).now).slice(0, 10),
    expectedEffect: "2027-02-28",
  },
  {
    file: "settings/profile-form.tsx",
    name: "profile",
    open: section("Profile"),
    fill: async (form) => {
      await form.getByLabel("Name").fill("Harbour Books");
      await form.getByLabel("Support e-mail").fill("help@harbour.example");
    },
    button: "Save",
    method: "PUT",
    path: /\/settings$/,
    readEffect: async (get) => (await get("/settings")).name,
    expectedEffect: "Harbour Books",
  },
  {
    file: "settings/branding.tsx",
    name: "branding",
    open: section("Branding"),
    fill: (form) => form.getByLabel("Thank-you text").fill("Your books leave tomorrow."),
    button: "Save",
    method: "PUT",
    path: /\/settings$/,
    readEffect: async (get) => (await get("/settings")).thank_you_text,
    expectedEffect: "Your books leave tomorrow.",
  },
  {
    file: "settings/dunning-form.tsx",
    name: "dunning",
    open: section("Payments and dunning"),
    fill: (form) => form.getByLabel("Retry a failed charge after").fill("3, 7"),
    button: "Save",
    method: "PUT",
    path: /\/settings$/,
    readEffect: async (get) => (await get("/settings")).dunning_days,
    expectedEffect: [3, 7],
  },
  {
    file: "settings/notices-form.tsx",
    name: "notices",
    open: section("E-mails to payers"),
    fill: (form) => form.getByLabel("Days’ notice before renewal").fill("5"),
    button: "Save",
    method: "PUT",
    path: /\/settings$/,
    readEffect: async (get) => (await get("/settings")).renewal_notice_days,
    expectedEffect: 5,
  },
  {
    file: "settings/gateway.tsx",
    name: "connect",
    open: section("Stripe account"),
    fill: (form) => form.getByLabel("Secret key").fill(process.env.TEST_STRIPE_KEY ?? ""),
    button: "Connect",
    absolute: true,
    path: /\/gateway-accounts$/,
    readEffect: async (get) => count(await get("/gateway-accounts")),
    expectedEffect: 1,
  },
  {
    file: "saved-views/view-form.tsx",
    name: "save",
    open: (page) => ofMenu(page, "/payments?status=failed", "Views", "Save view…", "Save view"),
    fill: (form) => form.getByLabel("Name").fill("Failed ones"),
    button: "Save view",
    path: /\/account\/saved-views$/,
    readEffect: async (get) => count(await get("/account/saved-views")),
    expectedEffect: 1,
  },
];

/** Forms with their own tests. */
export const elsewhere: Record<string, string> = {
  "components/auth/sign-in-form.tsx": "session.spec.ts",
  "components/auth/code-form.tsx": "session.spec.ts",
  "components/account/end-two-factor.tsx": "people.spec.ts, where two-factor sign-in is turned off",
  "components/account/add-passkey.tsx": "passkeys.spec.ts: it needs a device",
  "components/settings/security-form.tsx": "passkeys.spec.ts: only an owner with a second factor can send it",
  "components/auth/confirm-identity.tsx": "step-up.spec.ts: any form can open it",
  "components/shell/create-business.tsx": "people.spec.ts: it leads to another business",
  "components/auth/register-form.tsx": "people.spec.ts: a business registers",
  "components/auth/forgot-form.tsx": "people.spec.ts: a forgotten password",
  "components/auth/reset-form.tsx": "people.spec.ts: a forgotten password",
  "components/auth/verify-form.tsx": "verified-email.spec.ts: it has no fields",
  "components/auth/accept-form.tsx": "people.spec.ts: a colleague accepts an invitation",
};
