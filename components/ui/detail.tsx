import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { type ReactNode, useContext, useRef } from "react";
import { Link } from "./link";
import { InPeek } from "./list/peek-context";
import { Moment } from "./moment";
import { useFocusKept } from "./use-focus-kept";

export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
    >
      <CaretLeftIcon size={14} aria-hidden />
      {children}
    </Link>
  );
}

interface DetailHeadingProps {
  className?: string;
  children: ReactNode;
}

/** A resource's name: the heading of its page, or of the side peek beside its list. */
export function DetailHeading({ className = "text-xl font-semibold tracking-tight", children }: DetailHeadingProps) {
  const Heading = useContext(InPeek) ? "h2" : "h1";
  return (
    <Heading
      data-detail-heading
      tabIndex={-1}
      className={`min-w-0 wrap-anywhere text-kumo-strong outline-none ${className}`}
    >
      {children}
    </Heading>
  );
}

/** A resource's name, its state and its actions. */
export function DetailHead({ title, badge, children }: { title: ReactNode; badge?: ReactNode; children?: ReactNode }) {
  const head = useRef<HTMLDivElement>(null);
  const focus = useFocusKept(() => head.current?.querySelector<HTMLElement>("[data-detail-heading]"));
  return (
    <div ref={head} className="mb-5 flex flex-wrap items-center justify-between gap-3">
      {/* On a phone this wraps before the menu does. */}
      <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-3 gap-y-1.5">
        <DetailHeading>{title}</DetailHeading>
        {badge}
      </div>
      {children && (
        <div className="flex flex-wrap items-center gap-2" {...focus}>
          {children}
        </div>
      )}
    </div>
  );
}

export function Panel({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line" aria-label={title}>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-kumo-hairline px-4">
        <h2 className="text-[15px] font-semibold text-kumo-strong">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 px-4 py-4 @sm:gap-x-6 @2xl:grid-cols-3">{children}</dl>
    </div>
  );
}

interface FactProps {
  term: string;
  wide?: boolean;
  /** Takes the whole width on a phone, where a long value such as an e-mail address does not fit into a column. */
  long?: boolean;
  code?: boolean;
  children: ReactNode;
}

export function Fact({ term, wide, long, code, children }: FactProps) {
  return (
    <div className={`min-w-0 ${wide ? "col-span-full" : long ? "@max-sm:col-span-full" : ""}`}>
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 min-w-0 text-base wrap-anywhere text-kumo-default">
        {code ? <span className="font-mono text-xs">{children}</span> : children}
      </dd>
    </div>
  );
}

interface MomentFactProps {
  term: string;
  at: string;
  /** For logs, whose entries can be less than a minute apart. */
  seconds?: boolean;
}

export const MomentFact = ({ term, at, seconds = false }: MomentFactProps) => (
  <Fact term={term}>
    <Moment at={at} time={seconds ? "seconds" : true} />
  </Fact>
);

export const linkClass = "underline decoration-kumo-line underline-offset-4 hover:decoration-current";
