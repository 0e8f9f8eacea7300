import { BroadcastIcon } from "@phosphor-icons/react/dist/ssr/Broadcast";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockCountdownIcon } from "@phosphor-icons/react/dist/ssr/ClockCountdown";
import { DotOutlineIcon } from "@phosphor-icons/react/dist/ssr/DotOutline";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { EyeIcon } from "@phosphor-icons/react/dist/ssr/Eye";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { type Ref, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { useFocusKept } from "@/components/ui/use-focus-kept";
import { ApiFailure } from "@/lib/client/api-failure";
import type { TimelineEntry } from "@/lib/resources/timeline/contract";
import { type TimelineOf, useTimeline } from "@/lib/resources/timeline/queries";
import type { TextsOf } from "@/messages/texts-of";
import { addressOf, type Line, linesOf } from "./lines";

const icons = {
  event: DotOutlineIcon,
  attempt: HourglassIcon,
  mail: EnvelopeSimpleIcon,
  visit: EyeIcon,
  webhook: BroadcastIcon,
  next: ClockCountdownIcon,
} as const satisfies Record<TimelineEntry["kind"], typeof DotOutlineIcon>;

const good = /\.(paid|succeeded|activated|renewed|recovered|won)$/;
const bad = /\.(failed|past_due|unpaid|lost)$|^dispute\.created$|^failed$/;

/** Success and failure differ in icon as well as in colour. */
function lookOf({ kind, type }: TimelineEntry) {
  if (kind === "event" && good.test(type)) return { Icon: CheckCircleIcon, tone: "text-kumo-success" };
  if (bad.test(type)) return { Icon: WarningCircleIcon, tone: "text-kumo-danger" };
  return { Icon: icons[kind], tone: "text-kumo-subtle" };
}

function whoOf(t: TextsOf<"timeline.by">, { kind, actor }: TimelineEntry): string | null {
  if (kind !== "event") return null;
  if (actor.type === "payer") return t("payer");
  if (actor.type === "api_key") return actor.name ? t("key", { name: actor.name }) : t("unnamedKey");
  if (actor.type === "user") return actor.name === null ? t("unnamedPerson") : t("person", { name: actor.name });
  return t("paydesk");
}

interface TimelineProps {
  of: TimelineOf;
  /** The id of the page's resource; by default, what the timeline is of. */
  shown?: string;
  /** When the page's resource was last fetched, in ms. The timeline is fetched again after it. */
  asOf: number;
  /** How many lines of the history are shown at first. All that are fetched unless given. */
  first?: number;
}

/** Upcoming entries stand above the history, which is newest first. */
export function Timeline({ of, shown = Object.values(of)[0], asOf, first = Number.POSITIVE_INFINITY }: TimelineProps) {
  const t = useTranslations("timeline");
  const timeline = useTimeline(of);
  useRefetchAfter(asOf, timeline.refetch);
  const entries = timeline.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const ahead = entries.filter(({ kind }) => kind === "next").reverse();
  const [limit, setLimit] = useState(first);
  const past = linesOf(entries.filter(({ kind }) => kind !== "next"));
  const isCut = past.length > limit;
  const history = useRef<HTMLOListElement>(null);
  const shownBefore = useRef(0);
  const focus = useFocusKept(() => history.current?.children[shownBefore.current] as HTMLElement | undefined);

  function showMore(): void {
    shownBefore.current = Math.min(past.length, limit);
    if (isCut) setLimit(Number.POSITIVE_INFINITY);
    else void timeline.fetchNextPage();
  }

  const page = { shown, hasTitles: "customer" in of };
  // The link of a payment may have been deleted, and its timeline with it.
  const { error } = timeline;
  if (!timeline.data && error instanceof ApiFailure && error.status === 404) return null;
  return (
    <Panel title={t("title")}>
      {timeline.isPending ? (
        <p role="status" className="px-4 py-6 text-center text-base text-kumo-subtle">
          {t("loading")}
        </p>
      ) : timeline.data === undefined ? (
        <div className="p-4">
          <LoadFailure of="single.timeline" query={timeline} />
        </div>
      ) : (
        <>
          {ahead.length > 0 && (
            <div className="border-b border-kumo-hairline bg-kumo-recessed px-4 pt-3 pb-1">
              <h3 className="text-sm font-medium text-kumo-subtle">{t("next")}</h3>
              <Lines label={t("next")} lines={linesOf(ahead)} page={page} />
            </div>
          )}
          {past.length > 0 && (
            <div className="px-4 py-2">
              <Lines list={history} label={t("past")} lines={past.slice(0, limit)} page={page} />
            </div>
          )}
          {entries.length === 0 && <p className="px-4 py-4 text-base text-kumo-subtle">{t("empty")}</p>}
          {(isCut || timeline.hasNextPage) && (
            <div className="flex justify-center border-t border-kumo-hairline px-4 py-2" {...focus}>
              <Button variant="ghost" loading={timeline.isFetchingNextPage} onClick={showMore}>
                {t("more")}
              </Button>
            </div>
          )}
        </>
      )}
    </Panel>
  );
}

/** Fetches again whenever the page's resource was fetched again, except the first time. */
export function useRefetchAfter(asOf: number, refetch: () => unknown): void {
  const seen = useRef(asOf);
  useEffect(() => {
    if (seen.current === asOf) return;
    seen.current = asOf;
    refetch();
  }, [asOf, refetch]);
}

interface ShownPage {
  shown: string | undefined;
  /** Whether each line says which link it is about: the page has several. */
  hasTitles: boolean;
}

interface LinesProps {
  list?: Ref<HTMLOListElement>;
  label: string;
  lines: Line[];
  page: ShownPage;
}

function Lines({ list, label, lines, page }: LinesProps) {
  return (
    <ol ref={list} aria-label={label}>
      {lines.map((line) => (
        // Of a group the oldest, so that it stays open when a newer one joins it.
        <Entry key={line.deliveries.at(-1)?._id ?? line.entry._id} line={line} page={page} />
      ))}
    </ol>
  );
}

function Entry({ line: { entry, caused, deliveries }, page }: { line: Line; page: ShownPage }) {
  const t = useTranslations("timeline");
  const { title, detail, created_at } = entry;
  const { Icon, tone } = lookOf(entry);
  const who = whoOf(useTranslations("timeline.by"), entry);
  const said = [page.hasTitles ? title : null, detail, ...caused.map(({ text }) => text)].filter((text) => !!text);
  const details = [...new Set(said)];
  return (
    // "Show more" gives the first new line the focus if it disappears.
    <li
      tabIndex={-1}
      className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 py-2 sm:grid-cols-[1.25rem_minmax(0,1fr)_auto]"
    >
      <Icon size={18} aria-hidden className={`mt-0.5 ${tone}`} />
      <div className="min-w-0">
        {deliveries.length > 1 ? (
          <details>
            <summary className="w-max max-w-full rounded text-base wrap-anywhere text-kumo-default">
              {t("delivered", { count: deliveries.length })}
            </summary>
            <ul className="grid gap-1 pt-1.5 text-sm text-kumo-subtle">
              {deliveries.map((delivery) => (
                <li key={delivery._id} className="wrap-anywhere">
                  <EntryLink entry={delivery} shown={page.shown} /> · <Moment at={delivery.created_at} time="seconds" />
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <p className="text-base wrap-anywhere text-kumo-default">
            <EntryLink entry={entry} shown={page.shown} />
          </p>
        )}
        {details.length > 0 && (
          <p className="text-sm wrap-anywhere text-kumo-subtle">
            {details.map((text, index) => (
              <span key={text}>
                {index > 0 && <span> · </span>}
                <bdi>{text}</bdi>
              </span>
            ))}
          </p>
        )}
      </div>
      <p className="col-start-2 text-sm text-kumo-subtle sm:col-start-3 sm:mt-0.5 sm:text-right">
        {who && <span className="wrap-anywhere">{who} · </span>}
        <Moment at={created_at} time={entry.kind === "next" ? true : "seconds"} />
      </p>
    </li>
  );
}

function EntryLink({ entry, shown }: { entry: TimelineEntry; shown: string | undefined }) {
  const address = addressOf(entry, shown);
  if (!address) return entry.text;
  return (
    <Link href={address} className="row-link">
      {entry.text}
    </Link>
  );
}
