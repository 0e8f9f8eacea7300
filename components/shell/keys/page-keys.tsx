"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef } from "react";
import { createPath, creations } from "@/components/shell/creations";
import { useMay } from "@/components/shell/may";
import { listOf } from "@/components/shell/mode";
import { entries } from "@/components/shell/nav-links";
import { keepEarlyInput } from "@/components/ui/early-input";
import { editSelected } from "@/components/ui/edit-target";
import { mayLeave } from "@/components/ui/unsaved";
import { isPageKey } from "./single-keys";
import { useKeyList } from "./use-key-list";

/** Time between `g` and the page's letter, in milliseconds. */
const goWithinMs = 2000;

/** The keys of every page: `?` lists them, `c` creates, `e` edits, `g` and a letter open a page. */
export function PageKeys() {
  const router = useRouter();
  const path = usePathname();
  const may = useMay();
  const showKeys = useKeyList();
  const goUntil = useRef(0);

  async function open(address: string, isForm = false): Promise<void> {
    if (!(await mayLeave())) return;
    if (isForm) keepEarlyInput();
    router.push(address);
  }

  function create(): void {
    const allowed = creations.filter(may);
    const here = allowed.find(({ list }) => list === listOf(path));
    if (here?.list === path) {
      const params = new URLSearchParams(window.location.search);
      params.set("create", "1");
      keepEarlyInput();
      window.history.replaceState(null, "", `${path}?${params}`);
      return;
    }
    const target = here ?? allowed.find(({ key }) => key === "paymentLink");
    if (target) void open(createPath(target.list), true);
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isPageKey(event)) return;
    const goes = event.timeStamp < goUntil.current;
    goUntil.current = event.key === "g" && !goes ? event.timeStamp + goWithinMs : 0;
    const page = goes ? entries.find(({ goKey, ...entry }) => goKey === event.key && may(entry)) : undefined;
    if (page) void open(page.href);
    else if (goes) return;
    else if (event.key === "c") create();
    else if (event.key === "?") showKeys();
    else if (event.key !== "e" || !editSelected(document.activeElement)) return;
    event.preventDefault();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  return null;
}
