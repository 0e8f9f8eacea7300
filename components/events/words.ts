import type { Event } from "@/lib/events/contract";

const makers: Record<Event["actor"]["type"], string> = {
  api_key: "An API key",
  user: "Somebody in the dashboard",
  payer: "The payer",
  system: "Paydesk",
};

/** Who made it happen. */
export const actorWords = ({ actor }: Event): string => makers[actor.type];

/** What an event is about, in a word that people know it by: a title, a name, an e-mail. */
export function subjectOf({ data }: Event): string {
  const words = [data.title, data.name, data.email].find((word) => typeof word === "string" && word !== "");
  return typeof words === "string" ? words : "";
}
