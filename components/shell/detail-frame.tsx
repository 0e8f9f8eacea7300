import type { UseQueryResult } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
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
  of: keyof (typeof en)["things"]["gone"];
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** A detail page's states, also beside its list: pending, not found, error, data. With data, a page becomes a recent place. */
export function DetailFrame<Data>({ list, of, query, children }: DetailFrameProps<Data>) {
  const titles = useTranslations("titles");
  const things = useTranslations("things.gone");
  const entry = entries.find(({ href }) => href === list);
  const path = usePathname();
  const isShown = query.data !== undefined && path.startsWith(`${list}/`);
  useEffect(() => {
    const title = document.querySelector("#content h1")?.textContent;
    if (isShown && title) rememberPlace({ address: path, title });
  }, [isShown, path]);
  const gone = query.error instanceof ApiFailure && query.error.status === 404;
  const inPeek = useContext(InPeek) !== null;
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
