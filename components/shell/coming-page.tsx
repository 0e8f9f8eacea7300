"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useComing } from "@/components/ui/coming";
import { type Entry, entries, entryOf } from "./nav-links";

/** Shows a frame of the next page from the click on its link until the page is there, however slow the network is. */
export function ComingPage({ children }: { children: ReactNode }) {
  const path = usePathname();
  const address = useComing()?.split(/[?#]/)[0];
  const entry = address && address !== path ? entries.find(({ href }) => href === entryOf(address)) : undefined;
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (entry) setTop(window.scrollY);
  }, [entry]);
  return (
    <div className="relative" aria-busy={entry !== undefined}>
      {/* Keeps its height: Back then finds the page at the same scroll position. */}
      <div className={entry ? "invisible" : undefined}>{children}</div>
      {entry && (
        <div className="absolute inset-x-0 bg-kumo-canvas" style={{ top }}>
          <PageFrame entry={entry} isList={entry.href === address} />
        </div>
      )}
    </div>
  );
}

const block = "rounded-lg bg-kumo-fill motion-safe:animate-pulse";

/** With the measures of the pages: what is there first does not move when the rest comes. */
function PageFrame({ entry: { title, frame = 1 }, isList }: { entry: Entry; isList: boolean }) {
  const t = useTranslations("shell.frame");
  const titles = useTranslations("titles");
  const name = titles(title);
  return (
    <>
      <p role="status" className="sr-only">
        {t("coming", { page: name })}
      </p>
      {isList ? (
        <div className="mb-5 flex h-9 items-center">
          <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{name}</h1>
        </div>
      ) : (
        <>
          <p className="mb-3 text-base text-kumo-subtle">{name}</p>
          <div className={`mb-5 h-9 w-56 max-w-full ${block}`} />
        </>
      )}
      <div aria-hidden className="grid grid-cols-1 gap-4">
        {isList &&
          typeof frame === "number" &&
          toolbars.slice(0, frame).map((look) => <div key={look} className={look} />)}
        {isList && frame === "overview" && <div className={`h-36 rounded-xl ${block}`} />}
        <Lines count={isList ? 12 : 4} />
      </div>
    </>
  );
}

const toolbars = [
  `h-9 w-72 max-w-full pointer-coarse:h-11 ${block}`,
  `h-9 w-56 max-w-full pointer-coarse:h-11 ${block}`,
];

function Lines({ count }: { count: number }) {
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      {Array.from({ length: count }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
          key={line}
          className="flex h-28 items-center gap-6 border-b border-kumo-hairline px-4 last:border-0 lg:h-13"
        >
          <span className={`h-3 w-40 ${block}`} />
          <span className={`ml-auto h-3 w-16 ${block}`} />
        </div>
      ))}
    </div>
  );
}
