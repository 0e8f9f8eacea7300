import { useFormatter, useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { maxSubscribers, type PackageWithCounts } from "@/lib/resources/packages/contract";

/** Returns a function that gives texts a package's count: as a number for the plural, and as `shown`, such as "5,000+". */
export function useSubscribers() {
  const format = useFormatter();
  return ({ subscriber_count: count }: PackageWithCounts) => ({
    count,
    shown: `${format.number(count)}${count < maxSubscribers ? "" : "+"}`,
  });
}

export function SubscriberCount({ pkg, words = false }: SubscriberCountProps) {
  const t = useTranslations("packages.list");
  const subscribers = useSubscribers()(pkg);
  const { _id, name, subscriber_count } = pkg;
  const text = words ? t("subscribers", subscribers) : subscribers.shown;
  if (subscriber_count === 0) return <span className="text-kumo-subtle tabular-nums">{text}</span>;
  return (
    <Link
      href={`/subscriptions?package_id=${_id}`}
      aria-label={t("showSubscribers", { ...subscribers, name })}
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
