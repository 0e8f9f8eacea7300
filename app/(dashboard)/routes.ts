import { GET as getOwnBusinesses } from "@/app/api/account/businesses/route";
import { GET as getNotificationChoice } from "@/app/api/account/notifications/route";
import { GET as getPasskeys } from "@/app/api/account/passkeys/route";
import { GET as getAccount } from "@/app/api/account/route";
import { GET as getSavedViews } from "@/app/api/account/saved-views/route";
import { GET as getSessions } from "@/app/api/account/sessions/route";
import { GET as getApiKeys } from "@/app/api/api-keys/route";
import { GET as getAuditLog } from "@/app/api/audit-log/route";
import { GET as getCustomer } from "@/app/api/customers/[id]/route";
import { GET as getNamesOfCustomers } from "@/app/api/customers/names/route";
import { GET as getCustomers } from "@/app/api/customers/route";
import { GET as getDisputes } from "@/app/api/disputes/route";
import { GET as getEmails } from "@/app/api/emails/route";
import { GET as getEvents } from "@/app/api/events/route";
import { GET as getGatewayAccounts } from "@/app/api/gateway-accounts/route";
import { GET as getNotifications } from "@/app/api/notifications/route";
import { GET as getPackages } from "@/app/api/packages/route";
import { GET as getFunnel } from "@/app/api/payment-links/[id]/funnel/route";
import { GET as getPaymentLink } from "@/app/api/payment-links/[id]/route";
import { GET as getPaymentLinks } from "@/app/api/payment-links/route";
import { GET as getPayments } from "@/app/api/payments/route";
import { GET as getBalance } from "@/app/api/payouts/balance/route";
import { GET as getPayouts } from "@/app/api/payouts/route";
import { GET as getRefunds } from "@/app/api/refunds/route";
import { GET as getOverview } from "@/app/api/reports/overview/route";
import { GET as getProblems } from "@/app/api/reports/problems/route";
import { GET as getRates } from "@/app/api/reports/rates/route";
import { GET as getRequests } from "@/app/api/requests/route";
import { GET as getSubscription } from "@/app/api/subscriptions/[id]/route";
import { GET as getSubscriptions } from "@/app/api/subscriptions/route";
import { GET as getInvitations } from "@/app/api/team/invitations/route";
import { GET as getMembers } from "@/app/api/team/members/route";
import { GET as getTokenizations } from "@/app/api/tokenizations/route";
import { GET as getUnknownCharges } from "@/app/api/unknown-charges/route";
import { GET as getWebhookEndpoints } from "@/app/api/webhook-endpoints/route";
import type { Get } from "./own-api";

/** The API's GETs that pages read on the server, by the path of their endpoint. */
export const routes: Record<string, Get> = {
  "/account": getAccount,
  "/account/businesses": getOwnBusinesses,
  "/account/notifications": getNotificationChoice,
  "/account/passkeys": getPasskeys,
  "/account/saved-views": getSavedViews,
  "/account/sessions": getSessions,
  "/api-keys": getApiKeys,
  "/audit-log": getAuditLog,
  "/customers": getCustomers,
  "/customers/names": getNamesOfCustomers,
  "/customers/{email}": getCustomer,
  "/disputes": getDisputes,
  "/emails": getEmails,
  "/events": getEvents,
  "/gateway-accounts": getGatewayAccounts,
  "/notifications": getNotifications,
  "/packages": getPackages,
  "/payment-links": getPaymentLinks,
  "/payment-links/{payment_link_id}": getPaymentLink,
  "/payment-links/{payment_link_id}/funnel": getFunnel,
  "/payments": getPayments,
  "/payouts": getPayouts,
  "/payouts/balance": getBalance,
  "/refunds": getRefunds,
  "/reports/overview": getOverview,
  "/reports/problems": getProblems,
  "/reports/rates": getRates,
  "/requests": getRequests,
  "/subscriptions": getSubscriptions,
  "/subscriptions/{subscription_id}": getSubscription,
  "/team/invitations": getInvitations,
  "/team/members": getMembers,
  "/tokenizations": getTokenizations,
  "/unknown-charges": getUnknownCharges,
  "/webhook-endpoints": getWebhookEndpoints,
};
