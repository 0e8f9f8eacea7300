import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect } from "react";
import { useTranslations } from "use-intl";
import { BackLink } from "@/components/ui/detail";
import { ButtonLink } from "@/components/ui/link";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { InPeek } from "@/components/ui/list/peek-context";
import { Notice } from "@/components/ui/notice";
import { ApiFailure } from "@/lib/client/api-failure";
import type en from "@/messages/en";
import { entries } from "./nav-links";
import { NotFoundText, OpenElsewhere } from "./open-elsewhere";
import { rememberPlace } from "./recent-places";

interface DetailFrameProps<Data> {
  list: string;
  /** As in the page's address. */
  id: string;
  of: keyof (typeof en)["things"]["gone"];
  query: UseQueryResult<Data>;
  /** Added to the heading in the list of recent places, because several resources can have the same heading. */
  about?: (data: Data) => (string | null | undefined)[];
  children: (data: Data) => ReactNode;
}

/** How long the side peek must show a resource before it becomes a recent place, in ms. */
const minPeekMs = 1_000;

/** A detail page's states, also beside its list: pending, not found, error, data. With data, it becomes a recent place. */
export function DetailFrame<Data>({ list, id, of, query, about, children }: DetailFrameProps<Data>) {
  const titles = useTranslations("titles");
  const things = useTranslations("things.gone");
  const entry = entries.find(({ href }) => href === list);
  const inPeek = useContext(InPeek) !== null;
  const address = `${list}/${encodeURIComponent(id)}`;
  const isShown = query.data !== undefined;
  const words = query.data !== undefined && about?.(query.data).filter(Boolean).join(" · ");
  useEffect(() => {
    if (!isShown) return;
    const remember = () => {
      const heading = document.querySelector("[data-detail-heading]")?.textContent;
      if (heading) rememberPlace({ address, title: words ? `${heading} · ${words}` : heading });
    };
    const timer = setTimeout(remember, inPeek ? minPeekMs : 0);
    return () => clearTimeout(timer);
  }, [isShown, inPeek, address, words]);
  const gone = query.error instanceof ApiFailure && query.error.status === 404;
  return (
    <>
      {!inPeek && <BackLink href={list}>{entry && titles(entry.title)}</BackLink>}
      {query.isPending ? (
        <Skeleton of={`single.${of}`} />
      ) : gone ? (
        <Notice
          as={inPeek ? "h2" : "h1"}
          title={things(`${of}.title`)}
          action={
            <OpenElsewhere>
              <ButtonLink href={list}>{things(`${of}.back`)}</ButtonLink>
            </OpenElsewhere>
          }
        >
          <NotFoundText />
        </Notice>
      ) : query.data === undefined ? (
        <LoadFailure of={`single.${of}`} query={query} />
      ) : (
        children(query.data)
      )}
    </>
  );
}
