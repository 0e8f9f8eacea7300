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
  notHere,
  object,
  oneOf,
  type Rule,
  text,
  webAddress,
} from "./params";

export const intentCreate: Keys<Stripe.PaymentIntentCreateParams> = {
  allowed_payment_method_types: cardsOnly,
  amount: needed(integer),
  amount_details: notHere,
  application_fee_amount: notHere,
  automatic_payment_methods: object<Stripe.PaymentIntentCreateParams.AutomaticPaymentMethods>({
    allow_redirects: oneOf(["always", "never"]),
    enabled: needed(flag),
  }),
  capture_method: captured,
  confirm: flag,
  confirmation_method: notHere,
  confirmation_token: notHere,
  currency: needed(text(3)),
  customer: id,
  customer_account: notHere,
  description: text(1000),
  error_on_requires_action: flag,
  excluded_payment_method_types: notHere,
  expand,
  hooks: notHere,
  mandate: notHere,
  mandate_data: notHere,
  metadata,
  off_session: flag,
  on_behalf_of: notHere,
  payment_details: notHere,
  payment_method: id,
  payment_method_configuration: notHere,
  payment_method_data: notHere,
  payment_method_options: notHere,
  radar_options: notHere,
  receipt_email: notHere,
  return_url: notHere,
  setup_future_usage: notHere,
  shipping: notHere,
  statement_descriptor: notHere,
  statement_descriptor_suffix: text(22),
  transfer_data: notHere,
  transfer_group: notHere,
  use_stripe_sdk: notHere,
};

export const intentConfirm: Keys<Stripe.PaymentIntentConfirmParams> = {
  allowed_payment_method_types: notHere,
  amount_details: notHere,
  amount_to_confirm: notHere,
  capture_method: notHere,
  confirmation_token: notHere,
  error_on_requires_action: flag,
  excluded_payment_method_types: notHere,
  expand,
  hooks: notHere,
  mandate: notHere,
  mandate_data: notHere,
  off_session: flag,
  payment_details: notHere,
  payment_method: id,
  payment_method_data: notHere,
  payment_method_options: notHere,
  radar_options: notHere,
  receipt_email: notHere,
  return_url: notHere,
  setup_future_usage: notHere,
  shipping: notHere,
  use_stripe_sdk: notHere,
};

export const intentCancel: Keys<Stripe.PaymentIntentCancelParams> = {
  cancellation_reason: oneOf(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]),
  expand,
};

export const intentList: Keys<Stripe.PaymentIntentListParams> = {
  ...pages,
  created,
  customer: id,
  customer_account: notHere,
};

export const refundCreate: Keys<Stripe.RefundCreateParams> = {
  amount: integer,
  charge: id,
  currency: notHere,
  customer: notHere,
  expand,
  instructions_email: notHere,
  metadata,
  origin: notHere,
  payment_intent: id,
  reason: oneOf(["duplicate", "fraudulent", "requested_by_customer"]),
  refund_application_fee: notHere,
  reverse_transfer: notHere,
};

export const refundList: Keys<Stripe.RefundListParams> = {
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
  connect: notHere,
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
  delivery_success: notHere,
  type: text(),
  types: listOf(text(), 20),
};
