"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "./alert";
import { partOf } from "./part";

/** What stands in a sheet. What could not be fetched says so, and is asked for again when people say so. */
export function sheetPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = partOf(load);
  return function SheetPart(props: Props) {
    const [Here, setHere] = useState(part.here);
    const [broken, setBroken] = useState(false);
    useEffect(() => {
      if (Here || broken) return;
      let gone = false;
      void part.get().then((got) => {
        if (gone) return;
        if (got) setHere(() => got);
        else setBroken(true);
      });
      return () => {
        gone = true;
      };
    }, [Here, broken]);
    if (Here) return <Here {...props} />;
    return broken ? <Broken onAgain={() => setBroken(false)} /> : <Coming />;
  };
}

function Broken({ onAgain }: { onAgain: () => void }) {
  const t = useTranslations("ui.part");
  const place = useRef<HTMLDivElement>(null);
  // With the button that was pressed the focus went: it comes to the one in its place.
  useEffect(() => {
    const nowhere = [document.body, place.current?.closest("[role=dialog]")];
    if (nowhere.some((one) => one === document.activeElement)) place.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div ref={place} className="grid justify-items-start gap-4 p-5">
      <Alert>
        {t("title")}. {t("again")}
      </Alert>
      <Button variant="secondary" onClick={onAgain}>
        {t("retry")}
      </Button>
    </div>
  );
}

/** In place of what has still to be fetched. Whoever has not gone elsewhere meanwhile then stands in its first field. */
function Coming() {
  const t = useTranslations("ui");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const sheet = place.current?.closest("[role=dialog]");
    return () => {
      if (!sheet?.isConnected || matchMedia("(pointer: coarse)").matches) return;
      requestAnimationFrame(() => {
        const { activeElement } = document;
        if (activeElement === document.body || sheet.contains(activeElement)) sheet.querySelector("input")?.focus();
      });
    };
  }, []);
  return (
    <div ref={place} className="grid gap-5 p-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {["w-24", "w-40", "w-32"].map((width) => (
        <div key={width} aria-hidden className="grid gap-2">
          <span className={`h-3 rounded bg-kumo-fill motion-safe:animate-pulse ${width}`} />
          <span className="h-9 rounded-lg bg-kumo-fill motion-safe:animate-pulse" />
        </div>
      ))}
    </div>
  );
}
