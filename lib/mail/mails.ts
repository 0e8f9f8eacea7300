import type { PaymentLink } from "@/lib/payment-links/contract";
import type { Payment } from "@/lib/payments/contract";
import type { Subscription } from "@/lib/subscriptions/contract";

/** Every mail to a payer, with what its template is filled with. */
export interface PayerMails {
  /** Here is something to pay. */
  payment_link: { link: PaymentLink };
  receipt: { link: PaymentLink; payment: Payment };
  /** The saved card could not be charged: pay by hand. */
  payment_failed: { link: PaymentLink; payment: Payment };
  renewal_notice: { subscription: Subscription };
  /** The saved card is no longer good at the next charge. */
  card_expiring: {
    subscription: Subscription;
    card: { brand: string; last4: string; exp_month: number; exp_year: number };
  };
  subscription_canceled: { subscription: Subscription };
}

export type QueuedMail = {
  [T in keyof PayerMails]: { template: T; to: string; props: PayerMails[T] };
}[keyof PayerMails];

/** Every mail to staff. The address in it is a way in, so these are kept sealed (lib/mail/queue.ts). */
export interface StaffMails {
  invitation: { business_name: string; inviter_name: string; role: string; url: string; expires_at: string };
  password_reset: { name: string; url: string; expires_at: string };
}
