import { type RefObject, useEffect, useState } from "react";
import { useIdle } from "./use-idle";

/** True once the element has come into view, or a few seconds after the page's load, when the browser is idle. */
export function useInViewOrIdle(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && setInView(true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return useIdle() || isInView;
}
