import { db } from "@/lib/core/db";
import { saveCardAt } from "./checkout";
import { call, type Row } from "./http";
import { yearBack } from "./past";
import { until } from "./receiver";
import { create } from "./samples";

const day = 86_400_000;

/** The readers and what is to be seen of each: a subscription in every status, with its months behind it. */
const readers = {
  active: "marta.keller@example.com",
  long: "david.okafor@example.com",
  ending: "sophie.laurent@example.com",
  paused: "henrik.nilsson@example.com",
  canceled: "lucia.ferrari@example.com",
  completed: "tomasz.zielinski@example.com",
  pastDue: "amelie.dubois@example.com",
  unpaid: "peter.vogel@example.com",
  created: "nora.lindqvist@example.com",
  weekly: "yuki.tanaka@example.com",
} as const;

type Reader = keyof typeof readers;

/** Subscriptions of four months, by way of the test clock. Returns their ids. */
export async function billForMonths(businessId: number, key: string): Promise<Record<Reader, string>> {
  const since = new Date();
  const end = new Date(since);
  end.setFullYear(end.getFullYear() + 1);
  const get = async (path: string): Promise<Row> => (await call("GET", path, { key })).json.data;
  const put = (id: string, body: Record<string, unknown>) => call("PUT", `/subscriptions/${id}`, { key, body });
  /** So many days before the end. */
  const advance = async (days: number): Promise<void> => {
    const to = new Date(end.getTime() - days * day).toISOString();
    const reply = await call("POST", "/test-clock", { key, body: { to } });
    if (reply.status !== 200) throw new Error(reply.text);
    await until("the test clock", async () => (await get("/test-clock")).status === "ready", 60);
  };

  const packages = {
    club: { name: "Reading club", amount: "1500", frequency: "monthly", description: "One novel a month" },
    box: { name: "Collector’s box", amount: "8900", frequency: "quarterly", description: "Signed first editions" },
    crossword: { name: "Weekend crossword", amount: "500", frequency: "weekly", description: "By post every Friday" },
    members: { name: "Friends of the shop", amount: "6000", frequency: "yearly", description: "Ten per cent off" },
    summer: { name: "Summer reading", amount: "1900", frequency: "monthly", description: "June to August" },
  } as const;
  const sold: Record<string, string> = {};
  for (const [name, body] of Object.entries(packages))
    sold[name] = await create(key, "packages", { currency: "EUR", ...body });

  const card = async (who: Reader, number?: string): Promise<void> => {
    const over = {
      email: readers[who],
      title: "Card for your subscription",
      description: "Charged when a parcel leaves",
    };
    const id = await create(key, "tokenizations", over);
    await saveCardAt(`/activate/${(await get(`/tokenizations/${id}`)).token}`, number);
  };
  const numbers: Partial<Record<Reader, string>> = { long: "5555555555554444" };
  for (const who of Object.keys(readers) as Reader[]) if (who !== "created") await card(who, numbers[who]);

  const ids = {} as Record<Reader, string>;
  const subscribe = async (who: Reader, bought: string): Promise<void> => {
    const reply = await call("POST", "/subscriptions", {
      key,
      body: { package_id: sold[bought], email: readers[who] },
    });
    if (reply.status !== 200) throw new Error(reply.text);
    ids[who] = reply.json.data._id;
  };
  const breakCard = async (who: Reader): Promise<void> => {
    const token = await db.tokenization.findFirstOrThrow({ where: { business_id: businessId, email: readers[who] } });
    await db.sandboxCard.updateMany({
      where: { ref: token.gateway_card ?? "" },
      data: { behaviour: "insufficient_funds" },
    });
  };

  await advance(128);
  await subscribe("long", "box");
  for (const who of ["active", "paused", "canceled", "completed", "pastDue", "unpaid"] as const)
    await subscribe(who, "club");
  for (const id of Object.values(ids))
    await until("a first charge", async () => (await get(`/subscriptions/${id}`)).status === "active");
  await put(ids.active, { phone_no: "+49 30 5550142" });
  await advance(75);
  await subscribe("weekly", "crossword");
  await advance(60);
  await breakCard("unpaid");
  await put(ids.canceled, { status: "cancel" });
  await put(ids.completed, { cancel_at_period_end: true });
  await advance(20);
  await subscribe("ending", "members");
  await until("a first charge", async () => (await get(`/subscriptions/${ids.ending}`)).status === "active");
  await breakCard("pastDue");
  await put(ids.paused, { status: "paused" });
  await put(ids.ending, { cancel_at_period_end: true });
  await advance(4);
  await subscribe("created", "club");
  await until("a first link", async () => (await get(`/subscriptions/${ids.created}`)).payment_links.length > 0);
  await advance(0);
  await call("PUT", `/packages/${sold.summer}`, {
    key,
    body: { ...packages.summer, currency: "EUR", status: "cancel" },
  });
  await until(
    "the mails",
    async () => (await db.email.count({ where: { business_id: businessId, status: "queued" } })) === 0,
  );
  await yearBack(businessId, since);
  // One that will not be there any more when it is charged next.
  const soon = new Date();
  const expires = { card_exp_month: soon.getMonth() + 1, card_exp_year: soon.getFullYear() };
  await db.tokenization.updateMany({ where: { business_id: businessId, email: readers.active }, data: expires });
  return ids;
}
