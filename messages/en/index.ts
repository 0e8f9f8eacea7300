import account from "./account";
import annotations from "./annotations";
import apiKeys from "./api-keys";
import audit from "./audit";
import auth from "./auth";
import customers from "./customers";
import disputes from "./disputes";
import emails from "./emails";
import events from "./events";
import exports from "./exports";
import notifications from "./notifications";
import overview from "./overview";
import packages from "./packages";
import palette from "./palette";
import paymentLinks from "./payment-links";
import payments from "./payments";
import payouts from "./payouts";
import reference from "./reference";
import refunds from "./refunds";
import requests from "./requests";
import savedViews from "./saved-views";
import settings from "./settings";
import shell from "./shell";
import subscriptions from "./subscriptions";
import team from "./team";
import testClock from "./test-clock";
import things from "./things";
import timeline from "./timeline";
import titles from "./titles";
import tokenizations from "./tokenizations";
import ui from "./ui";
import webhooks from "./webhooks";

/** Every text of the dashboard in English, a file for each of its areas. Messages are ICU MessageFormat. */
const en = {
  account,
  annotations,
  apiKeys,
  audit,
  auth,
  customers,
  disputes,
  emails,
  events,
  exports,
  notifications,
  overview,
  packages,
  palette,
  paymentLinks,
  payments,
  payouts,
  reference,
  refunds,
  requests,
  savedViews,
  settings,
  shell,
  subscriptions,
  team,
  testClock,
  things,
  timeline,
  titles,
  tokenizations,
  ui,
  webhooks,
} as const;

export default en;

/** What another language has to have: the keys of English, with any text. */
export type Catalogue = Texts<typeof en>;

type Texts<Tree> = { [Key in keyof Tree]: Tree[Key] extends string ? string : Texts<Tree[Key]> };
