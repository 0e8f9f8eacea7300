import { accountEndpoints, businessEndpoints, sessionEndpoints, twoFactorEndpoints } from "./account/contract";
import type { Endpoint } from "./api/endpoint";
import { apiKeyEndpoints } from "./api-keys/contract";
import { auditEndpoints } from "./audit/contract";
import { customerEndpoints } from "./customers/contract";
import { emailEndpoints } from "./emails/contract";
import { eventEndpoints } from "./events/contract";
import { gatewayAccountEndpoints } from "./gateway-accounts/contract";
import { packageEndpoints } from "./packages/contract";
import { paymentLinkEndpoints } from "./payment-links/contract";
import { paymentLinkCsvEndpoints } from "./payment-links/csv-contract";
import { paymentEndpoints } from "./payments/contract";
import { refundEndpoints } from "./refunds/contract";
import { registrationEndpoints } from "./registration/contract";
import { reportEndpoints } from "./reports/contract";
import { requestEndpoints } from "./requests/contract";
import { settingsEndpoints } from "./settings/contract";
import { subscriptionEndpoints } from "./subscriptions/contract";
import { invitationEndpoints, teamEndpoints } from "./team/contract";
import { testClockEndpoints } from "./test-clock/contract";
import { timelineEndpoints } from "./timeline/contract";
import { tokenizationEndpoints } from "./tokenizations/contract";
import { webhookDeliveryEndpoints, webhookEndpointEndpoints } from "./webhooks/contract";

/** The whole API as data, in the order in which the documentation shows it. */
export const sections: { name: string; endpoints: Record<string, Endpoint> }[] = [
  { name: "Tokenizations", endpoints: tokenizationEndpoints },
  { name: "Payment links", endpoints: paymentLinkEndpoints },
  { name: "Payment links as CSV", endpoints: paymentLinkCsvEndpoints },
  { name: "Payments", endpoints: paymentEndpoints },
  { name: "Refunds", endpoints: refundEndpoints },
  { name: "Packages", endpoints: packageEndpoints },
  { name: "Subscriptions", endpoints: subscriptionEndpoints },
  { name: "Timelines", endpoints: timelineEndpoints },
  { name: "Customers", endpoints: customerEndpoints },
  { name: "Reports", endpoints: reportEndpoints },
  { name: "Events", endpoints: eventEndpoints },
  { name: "Requests", endpoints: requestEndpoints },
  { name: "E-mails", endpoints: emailEndpoints },
  { name: "Webhooks", endpoints: { ...webhookEndpointEndpoints, ...webhookDeliveryEndpoints } },
  { name: "Settings", endpoints: settingsEndpoints },
  { name: "Gateway accounts", endpoints: gatewayAccountEndpoints },
  { name: "Audit log", endpoints: auditEndpoints },
  { name: "Test clock", endpoints: testClockEndpoints },
  { name: "API keys", endpoints: apiKeyEndpoints },
  { name: "Team", endpoints: teamEndpoints },
  { name: "Invitations", endpoints: invitationEndpoints },
  { name: "Account", endpoints: accountEndpoints },
  { name: "Sessions", endpoints: sessionEndpoints },
  { name: "Two-factor sign-in", endpoints: twoFactorEndpoints },
  { name: "Businesses", endpoints: businessEndpoints },
  { name: "Registration", endpoints: registrationEndpoints },
];
