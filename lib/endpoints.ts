import { accountEndpoints, businessEndpoints, sessionEndpoints, twoFactorEndpoints } from "./account/contract";
import type { Endpoint } from "./api/endpoint";
import { apiKeyEndpoints } from "./api-keys/contract";
import { eventEndpoints } from "./events/contract";
import { packageEndpoints } from "./packages/contract";
import { paymentLinkEndpoints } from "./payment-links/contract";
import { paymentEndpoints } from "./payments/contract";
import { refundEndpoints } from "./refunds/contract";
import { registrationEndpoints } from "./registration/contract";
import { settingsEndpoints } from "./settings/contract";
import { subscriptionEndpoints } from "./subscriptions/contract";
import { invitationEndpoints, teamEndpoints } from "./team/contract";
import { testClockEndpoints } from "./test-clock/contract";
import { tokenizationEndpoints } from "./tokenizations/contract";

/** The whole API as data, in the order in which the documentation shows it. */
export const sections: { name: string; endpoints: Record<string, Endpoint> }[] = [
  { name: "Tokenizations", endpoints: tokenizationEndpoints },
  { name: "Payment links", endpoints: paymentLinkEndpoints },
  { name: "Payments", endpoints: paymentEndpoints },
  { name: "Refunds", endpoints: refundEndpoints },
  { name: "Packages", endpoints: packageEndpoints },
  { name: "Subscriptions", endpoints: subscriptionEndpoints },
  { name: "Events", endpoints: eventEndpoints },
  { name: "Settings", endpoints: settingsEndpoints },
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
