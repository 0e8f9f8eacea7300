import { type RefObject, useEffect, useState } from "react";
import { loadWhenIdle } from "@/lib/client/idle";

/** Whether the element has come into view, or the browser has been idle, a few seconds after the page. */
export function useInViewOrIdle(element: RefObject<Element | null>): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    loadWhenIdle(async () => setDue(true));
    if (!element.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && setDue(true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isDue;
}
