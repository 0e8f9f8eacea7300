import { useFormatter, useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import type { PackageWithCounts } from "@/lib/resources/packages/contract";

export function SubscriberCount({ pkg: { _id, name, subscriber_count }, words = false }: SubscriberCountProps) {
  const t = useTranslations("packages.list");
  const format = useFormatter();
  const text = words ? t("subscribers", { count: subscriber_count }) : format.number(subscriber_count);
  if (subscriber_count === 0) return <span className="text-kumo-subtle tabular-nums">{text}</span>;
  return (
    <Link
      href={`/subscriptions?package_id=${_id}`}
      aria-label={t("showSubscribers", { count: subscriber_count, name })}
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
