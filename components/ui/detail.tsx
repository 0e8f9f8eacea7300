import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { LookElsewhere, LookedIn } from "@/components/shell/look-elsewhere";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { ApiFailure } from "@/lib/client/call";
import type en from "@/messages/en";
import { buttonVariants } from "./button";
import { Link } from "./link";
import { Notice } from "./notice";

interface DetailFrameProps<Data> {
  /** The list that it belongs to. */
  back: { href: string; label: string };
  /** What it is. */
  of: keyof (typeof en)["things"]["gone"];
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** The states of a page about one thing: pending, gone, error, there. */
export function DetailFrame<Data>({ back, of, query, children }: DetailFrameProps<Data>) {
  const things = useTranslations("things.gone");
  const gone = query.error instanceof ApiFailure && query.error.status === 404;
  return (
    <>
      <Link
        href={back.href}
        className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
      >
        <CaretLeftIcon size={14} aria-hidden />
        {back.label}
      </Link>
      {query.isPending ? (
        <Skeleton of={`single.${of}`} />
      ) : gone ? (
        <Notice
          as="h1"
          title={things(`${of}.title`)}
          action={
            <LookElsewhere>
              <Link href={back.href} className={buttonVariants({ variant: "secondary" })}>
                {things(`${of}.back`)}
              </Link>
            </LookElsewhere>
          }
        >
          <LookedIn />
        </Notice>
      ) : query.data === undefined ? (
        <LoadFailure of={`single.${of}`} query={query} />
      ) : (
        children(query.data)
      )}
    </>
  );
}

/** What a page is about, its state beside it, what can be done with it at the end. */
export function DetailHead({ title, badge, children }: { title: ReactNode; badge?: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
      {/* Beside a lone menu on a phone it wraps, rather than the menu. */}
      <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere text-kumo-strong">{title}</h1>
        {badge}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
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

/** Facts about one thing, in as many columns as there is room for. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 px-4 py-4 @sm:grid-cols-2 @2xl:grid-cols-3">{children}</dl>
    </div>
  );
}

export function Fact({ term, wide, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${wide ? "col-span-full" : ""}`}>
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 min-w-0 text-base wrap-anywhere text-kumo-default">{children}</dd>
    </div>
  );
}

export const linkLook = "underline decoration-kumo-line underline-offset-4 hover:decoration-current";
