import type { Event } from "@/lib/events/contract";

const pages: Record<string, string> = {
  pl: "/payment-links",
  pay: "/payments",
  sub: "/subscriptions",
  pkg: "/packages",
  tkn: "/tokenizations",
};

/** The page of what an event is about: of a refund, its payment's. */
export function pageOf({ resource_id, data }: Event): string | null {
  const id = typeof data.payment_id === "string" && resource_id.startsWith("ref_") ? data.payment_id : resource_id;
  const page = pages[id.split("_")[0] ?? ""];
  return page === undefined ? null : `${page}/${id}`;
}

/** What an event is about, in a word that people know it by: a title, a name, an e-mail. */
export function subjectOf({ data }: Event): string {
  const words = [data.title, data.name, data.email].find((word) => typeof word === "string" && word !== "");
  return typeof words === "string" ? words : "";
}
