import { pageOf } from "@/components/shell/pages";
import type { TimelineEntry } from "@/lib/resources/timeline/contract";

/** One line of the timeline: what happened, and the entries that say the same or follow from it. */
export interface Line {
  entry: TimelineEntry;
  /** Events of the same moment that the entry has caused, but not those that only repeat it. */
  caused: TimelineEntry[];
  /** Successful deliveries in a row, of which `entry` is the newest; empty for other lines. */
  deliveries: TimelineEntry[];
}

/** What a charge causes, by its event. `payment_link.paid` only repeats it. */
const causes: Record<string, readonly string[]> = {
  "payment.succeeded": [
    "payment_link.paid",
    "subscription.activated",
    "subscription.renewed",
    "subscription.recovered",
    "subscription.completed",
  ],
  "payment.failed": ["subscription.past_due", "subscription.unpaid", "subscription.canceled"],
};
const repetition = "payment_link.paid";

const isDelivered = ({ kind, type }: TimelineEntry): boolean => kind === "webhook" && type === "succeeded";

/** Events of one change have the same time. A subscription's timeline can have events of several links then. */
const isCausedBy = (charge: TimelineEntry, entry: TimelineEntry): boolean =>
  entry.kind === "event" &&
  entry.created_at === charge.created_at &&
  causes[charge.type]?.includes(entry.type) === true &&
  (entry.payment_link_id === null || entry.payment_link_id === charge.payment_link_id);

/** Groups entries, newest first, into one line for each thing that happened. */
export function linesOf(entries: TimelineEntry[]): Line[] {
  const causedBy = new Map<TimelineEntry, TimelineEntry[]>();
  const grouped = new Set<TimelineEntry>();
  for (const charge of entries.filter(({ kind, type }) => kind === "event" && type in causes)) {
    const caused = entries.filter((entry) => !grouped.has(entry) && isCausedBy(charge, entry));
    for (const entry of caused) grouped.add(entry);
    causedBy.set(
      charge,
      caused.filter(({ type }) => type !== repetition),
    );
  }
  const lines: Line[] = [];
  for (const entry of entries) {
    if (grouped.has(entry)) continue;
    const last = lines.at(-1);
    if (isDelivered(entry) && last && isDelivered(last.entry)) last.deliveries.push(entry);
    else lines.push({ entry, caused: causedBy.get(entry) ?? [], deliveries: isDelivered(entry) ? [entry] : [] });
  }
  return lines;
}

/**
 * The page of what an entry is about. An event leads to its own page if that is the page shown, was deleted or does not exist.
 * @param shown the id of the page's resource
 */
export function addressOf(entry: TimelineEntry, shown: string | undefined): string | null {
  const { kind, type, _id, about_id, payment_id, webhook_endpoint_id } = entry;
  if (kind === "webhook" && webhook_endpoint_id) return `${pageOf(webhook_endpoint_id)}?delivery=${about_id}`;
  const id = about_id?.startsWith("ref_") ? payment_id : about_id;
  const page = id && id !== shown && !type.endsWith(".deleted") ? pageOf(id) : null;
  return page ?? (kind === "event" ? pageOf(_id) : null);
}
