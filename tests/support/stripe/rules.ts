import type Stripe from "stripe";
import { captured, cardsOnly, created, expand, id, pages } from "./common-rules";
import { badParameter } from "./errors";
import {
  flag,
  integer,
  type Keys,
  listOf,
  metadata,
  needed,
  notImplemented,
  object,
  oneOf,
  type Rule,
  statementSuffix,
  text,
  webAddress,
} from "./params";

export const intentCreate: Keys<Stripe.PaymentIntentCreateParams> = {
  allowed_payment_method_types: cardsOnly,
  amount: needed(integer),
  amount_details: notImplemented,
  application_fee_amount: notImplemented,
  automatic_payment_methods: object<Stripe.PaymentIntentCreateParams.AutomaticPaymentMethods>({
    allow_redirects: oneOf(["always", "never"]),
    enabled: needed(flag),
  }),
  capture_method: captured,
  confirm: flag,
  confirmation_method: notImplemented,
  confirmation_token: notImplemented,
  currency: needed(text(3)),
  customer: id,
  customer_account: notImplemented,
  description: text(1000),
  error_on_requires_action: flag,
  excluded_payment_method_types: notImplemented,
  expand,
  hooks: notImplemented,
  mandate: notImplemented,
  mandate_data: notImplemented,
  metadata,
  off_session: flag,
  on_behalf_of: notImplemented,
  payment_details: notImplemented,
  payment_method: id,
  payment_method_configuration: notImplemented,
  payment_method_data: notImplemented,
  payment_method_options: notImplemented,
  radar_options: notImplemented,
  receipt_email: notImplemented,
  return_url: notImplemented,
  setup_future_usage: notImplemented,
  shipping: notImplemented,
  statement_descriptor: notImplemented,
  statement_descriptor_suffix: statementSuffix,
  transfer_data: notImplemented,
  transfer_group: notImplemented,
  use_stripe_sdk: notImplemented,
};

export const intentConfirm: Keys<Stripe.PaymentIntentConfirmParams> = {
  allowed_payment_method_types: notImplemented,
  amount_details: notImplemented,
  amount_to_confirm: notImplemented,
  capture_method: notImplemented,
  confirmation_token: notImplemented,
  error_on_requires_action: flag,
  excluded_payment_method_types: notImplemented,
  expand,
  hooks: notImplemented,
  mandate: notImplemented,
  mandate_data: notImplemented,
  off_session: flag,
  payment_details: notImplemented,
  payment_method: id,
  payment_method_data: notImplemented,
  payment_method_options: notImplemented,
  radar_options: notImplemented,
  receipt_email: notImplemented,
  return_url: notImplemented,
  setup_future_usage: notImplemented,
  shipping: notImplemented,
  use_stripe_sdk: notImplemented,
};

export const intentCancel: Keys<Stripe.PaymentIntentCancelParams> = {
  cancellation_reason: oneOf(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]),
  expand,
};

export const intentList: Keys<Stripe.PaymentIntentListParams> = {
  ...pages,
  created,
  customer: id,
  customer_account: notImplemented,
};

export const setupList: Keys<Stripe.SetupIntentListParams> = {
  ...pages,
  attach_to_self: notImplemented,
  created,
  customer: id,
  customer_account: notImplemented,
  payment_method: notImplemented,
};

export const chargeList: Keys<Stripe.ChargeListParams> = {
  ...pages,
  created,
  customer: notImplemented,
  payment_intent: id,
  transfer_group: notImplemented,
};

export const refundCreate: Keys<Stripe.RefundCreateParams> = {
  amount: integer,
  charge: id,
  currency: notImplemented,
  customer: notImplemented,
  expand,
  instructions_email: notImplemented,
  metadata,
  origin: notImplemented,
  payment_intent: id,
  reason: oneOf(["duplicate", "fraudulent", "requested_by_customer"]),
  refund_application_fee: notImplemented,
  reverse_transfer: notImplemented,
};

export const refundList: Keys<Stripe.RefundListParams> = {
  ...pages,
  charge: id,
  created,
  payment_intent: id,
};

export const disputeList: Keys<Stripe.DisputeListParams> = {
  ...pages,
  charge: id,
  created,
  payment_intent: id,
};

type EventName = Stripe.WebhookEndpointCreateParams.EnabledEvent;

/** Any event type by its format: the package lists them only as types. */
const eventName: Rule<EventName> = {
  read: (raw, at) => {
    if (typeof raw === "string" && /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)+)$/.test(raw)) return raw as EventName;
    throw badParameter(`Invalid event name in ${at}`, at);
  },
};

export const endpointCreate: Keys<Stripe.WebhookEndpointCreateParams> = {
  api_version: oneOf(["2026-10-28.endive"]),
  connect: notImplemented,
  description: text(),
  enabled_events: needed(listOf(eventName, 1000)),
  expand,
  metadata,
  url: needed(webAddress),
};

export const endpointUpdate: Keys<Stripe.WebhookEndpointUpdateParams> = {
  description: text(),
  disabled: flag,
  enabled_events: listOf(eventName, 1000),
  expand,
  metadata,
  url: webAddress,
};

export const endpointList: Keys<Stripe.WebhookEndpointListParams> = pages;

export const eventList: Keys<Stripe.EventListParams> = {
  ...pages,
  created,
  delivery_success: notImplemented,
  type: text(),
  types: listOf(text(), 20),
};
