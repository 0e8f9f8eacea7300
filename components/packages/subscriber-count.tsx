import Link from "next/link";
import type { PackageWithCounts } from "@/lib/packages/contract";

/** How many subscribe to a package, and the way to them. */
export function SubscriberCount({ pkg: { _id, name, subscriber_count }, words = false }: SubscriberCountProps) {
  const count = subscriber_count.toLocaleString("en");
  const text = words ? `${count} ${subscriber_count === 1 ? "subscriber" : "subscribers"}` : count;
  if (subscriber_count === 0) return <span className="text-kumo-subtle tabular-nums">{text}</span>;
  return (
    <Link
      href={`/subscriptions?package_id=${_id}`}
      aria-label={`${count} subscribed to ${name}: show them`}
      className="underline decoration-kumo-line underline-offset-4 tabular-nums hover:decoration-current"
    >
      {text}
    </Link>
  );
}

interface SubscriberCountProps {
  pkg: PackageWithCounts;
  words?: boolean;
}
