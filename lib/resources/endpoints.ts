import type { Endpoint } from "@/lib/http/endpoint";
import {
  accountEndpoints,
  businessEndpoints,
  emailVerificationEndpoints,
  sessionEndpoints,
  twoFactorEndpoints,
} from "@/lib/resources/account/contract";
import { notificationChoiceEndpoints } from "@/lib/resources/account/notifications-contract";
import { passkeyEndpoints } from "@/lib/resources/account/passkeys-contract";
import { savedViewEndpoints } from "@/lib/resources/account/saved-views-contract";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { eventEndpoints } from "@/lib/resources/events/contract";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { notificationEndpoints } from "@/lib/resources/notifications/contract";
import { packageEndpoints } from "@/lib/resources/packages/contract";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinkCsvEndpoints } from "@/lib/resources/payment-links/csv-contract";
import { paymentLinkFunnelEndpoints } from "@/lib/resources/payment-links/funnel-contract";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { balanceEntryEndpoints } from "@/lib/resources/payouts/entries-contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { registrationEndpoints } from "@/lib/resources/registrations/contract";
import { reportEndpoints } from "@/lib/resources/reports/contract";
import { exportEndpoints } from "@/lib/resources/reports/export-contract";
import { problemEndpoints } from "@/lib/resources/reports/problems-contract";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { searchEndpoints } from "@/lib/resources/search/contract";
import { settingsEndpoints } from "@/lib/resources/settings/contract";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { forecastReportEndpoints } from "@/lib/resources/subscriptions/forecast-contract";
import { invitationEndpoints, teamEndpoints } from "@/lib/resources/team/contract";
import { testClockEndpoints } from "@/lib/resources/test-clock/contract";
import { timelineEndpoints } from "@/lib/resources/timeline/contract";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { unknownChargeEndpoints } from "@/lib/resources/unknown-charges/contract";
import { webhookDeliveryEndpoints, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";

/** The whole API as data, in the order in which the documentation shows it. */
export const sections: { name: string; endpoints: Record<string, Endpoint> }[] = [
  { name: "Tokenizations", endpoints: tokenizationEndpoints },
  { name: "Payment links", endpoints: { ...paymentLinkEndpoints, ...paymentLinkFunnelEndpoints } },
  { name: "Payment links as CSV", endpoints: paymentLinkCsvEndpoints },
  { name: "Payments", endpoints: paymentEndpoints },
  { name: "Refunds", endpoints: refundEndpoints },
  { name: "Disputes", endpoints: disputeEndpoints },
  { name: "Payouts", endpoints: { ...payoutEndpoints, ...balanceEntryEndpoints } },
  { name: "Packages", endpoints: packageEndpoints },
  { name: "Subscriptions", endpoints: subscriptionEndpoints },
  { name: "Timelines", endpoints: timelineEndpoints },
  { name: "Customers", endpoints: customerEndpoints },
  { name: "Search", endpoints: searchEndpoints },
  {
    name: "Reports",
    endpoints: { ...reportEndpoints, ...problemEndpoints, ...forecastReportEndpoints, ...exportEndpoints },
  },
  { name: "Events", endpoints: eventEndpoints },
  { name: "Requests", endpoints: requestEndpoints },
  { name: "E-mails", endpoints: emailEndpoints },
  { name: "Webhooks", endpoints: { ...webhookEndpointEndpoints, ...webhookDeliveryEndpoints } },
  { name: "Settings", endpoints: settingsEndpoints },
  { name: "Gateway accounts", endpoints: gatewayAccountEndpoints },
  { name: "Unknown charges", endpoints: unknownChargeEndpoints },
  { name: "Audit log", endpoints: auditEndpoints },
  { name: "Test clock", endpoints: testClockEndpoints },
  { name: "API keys", endpoints: apiKeyEndpoints },
  { name: "Team", endpoints: teamEndpoints },
  { name: "Invitations", endpoints: invitationEndpoints },
  { name: "Account", endpoints: { ...accountEndpoints, ...emailVerificationEndpoints } },
  { name: "Notifications", endpoints: notificationEndpoints },
  { name: "Notification settings", endpoints: notificationChoiceEndpoints },
  { name: "Sessions", endpoints: sessionEndpoints },
  { name: "Two-factor sign-in", endpoints: twoFactorEndpoints },
  { name: "Passkeys", endpoints: passkeyEndpoints },
  { name: "Saved views", endpoints: savedViewEndpoints },
  { name: "Businesses", endpoints: businessEndpoints },
  { name: "Registration", endpoints: registrationEndpoints },
];
