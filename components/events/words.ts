import type { Event } from "@/lib/events/contract";

/** What an event is about, in a word that people know it by: a title, a name, an e-mail. */
export function subjectOf({ data }: Event): string {
  const words = [data.title, data.name, data.email].find((word) => typeof word === "string" && word !== "");
  return typeof words === "string" ? words : "";
}
