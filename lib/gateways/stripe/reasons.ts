import type { DeclineReason, DisputeReason, DisputeStatus, RefundFailure } from "@/lib/gateways/reasons";

/** By our reason. `gateway_refused` comes from the kind of error, not from its code. */
const codes: Record<Exclude<DeclineReason, "gateway_refused">, string> = {
  card_declined:
    "approve_with_id call_issuer card_declined do_not_honor generic_decline incorrect_address incorrect_pin " +
    "incorrect_postal_code incorrect_zip invalid_pin new_account_information_available no_action_taken " +
    "offline_pin_required online_or_offline_pin_required payment_intent_payment_attempt_failed " +
    "payment_method_customer_decline payment_method_provider_decline postal_code_invalid refer_to_customer " +
    "service_not_allowed setup_attempt_failed",
  insufficient_funds: "insufficient_funds",
  limit_exceeded:
    "amount_too_large card_velocity_exceeded charge_exceeds_source_limit charge_exceeds_transaction_limit invalid_amount " +
    "withdrawal_count_limit_exceeded",
  processing_error:
    "card_decline_rate_limit_exceeded duplicate_transaction issuer_not_available lock_timeout " +
    "payment_intent_rate_limit_exceeded payment_method_not_available payment_method_provider_timeout processing_error " +
    "rate_limit reenter_transaction try_again_later",
  authentication_required:
    "authentication_required invoice_payment_intent_requires_action mobile_device_authentication_required " +
    "payment_intent_action_required",
  authentication_failed:
    "authentication_failure authentication_not_handled payment_intent_authentication_failure " +
    "setup_intent_authentication_failure three_d_secure_authentication_upstream_error",
  abandoned: "payment_intent_payment_attempt_expired setup_intent_setup_attempt_expired",
  expired_card: "expired_card expired_payment_method invalid_expiry_month invalid_expiry_year",
  incorrect_number: "incorrect_number invalid_number",
  incorrect_cvc: "incorrect_cvc invalid_cvc",
  card_not_supported:
    "card_not_supported currency_not_supported invalid_card_type not_permitted payment_intent_incompatible_payment_method " +
    "payment_method_currency_mismatch payment_method_unactivated payment_method_unsupported_type testmode_decline " +
    "three_d_secure_authentication_not_supported transaction_not_allowed",
  card_blocked:
    "debit_not_authorized do_not_try_again fraudulent highest_risk_level invalid_account lost_card merchant_blacklist " +
    "payment_method_restricted pickup_card pin_try_exceeded previously_declined_do_not_retry request_blocked " +
    "restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation stolen_card " +
    "stop_payment_order",
};

const reasons = new Map(
  Object.entries(codes).flatMap(([reason, list]) => list.split(" ").map((code) => [code, reason as DeclineReason])),
);

interface Refused {
  code?: string | null;
  /** The bank's reason, more specific than `code`. */
  decline_code?: string | null;
  advice_code?: string | null;
}

/** Maps to our decline reason. Unknown codes become `card_declined`. */
export function declineReason({ code, decline_code, advice_code }: Refused): DeclineReason {
  const reason = reasons.get(decline_code ?? "") ?? reasons.get(code ?? "") ?? "card_declined";
  return reason === "card_declined" && advice_code === "do_not_try_again" ? "card_blocked" : reason;
}

/** The reason when Stripe, not a bank, refused a request: the merchant must fix it, unless it passes by itself. */
export function refusalReason({ code }: Refused): DeclineReason {
  return reasons.get(code ?? "") === "processing_error" ? "processing_error" : "gateway_refused";
}

const failures: Record<string, RefundFailure> = {
  lost_or_stolen_card: "card_gone",
  expired_or_canceled_card: "card_gone",
  insufficient_funds: "insufficient_balance",
  balance_insufficient: "insufficient_balance",
  declined: "declined",
  charge_for_pending_refund_disputed: "disputed_meanwhile",
  refund_disputed_payment: "payment_disputed",
  charge_disputed: "payment_disputed",
  charge_not_refundable: "declined",
  charge_already_refunded: "already_refunded",
};

/** Maps a refund's `failure_reason`, or the error code of a refused refund. */
export function refundFailure(code: string | null | undefined): RefundFailure {
  return failures[code ?? ""] ?? "processing_error";
}

const disputed: Record<string, DisputeReason> = {
  credit_not_processed: "credit_not_processed",
  debit_not_authorized: "fraudulent",
  duplicate: "duplicate",
  fraudulent: "fraudulent",
  product_not_received: "not_received",
  product_unacceptable: "not_as_described",
  subscription_canceled: "subscription_canceled",
  unrecognized: "unrecognized",
};

/** Maps a dispute's reason. Reasons that only name a bank's procedure become `general`. */
export function disputeReason(reason: string): DisputeReason {
  return disputed[reason] ?? "general";
}

const states: Record<string, DisputeStatus> = {
  warning_needs_response: "inquiry_needs_response",
  warning_under_review: "inquiry_under_review",
  warning_closed: "inquiry_closed",
  needs_response: "needs_response",
  under_review: "under_review",
  // The ledger keeps `lost` during an appeal, until the appeal returns the money.
  appeal_needs_response: "needs_response",
  appeal_under_review: "under_review",
  prevented: "prevented",
  won: "won",
  lost: "lost",
};

/** Maps a dispute's status. An unknown one waits for the bank. */
export function disputeStatus(status: string): DisputeStatus {
  return states[status] ?? "under_review";
}
