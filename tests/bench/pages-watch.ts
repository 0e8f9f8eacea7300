/** What the benchmark of the pages does inside the browser. Each function goes there as text, so it stands by itself. */

export interface Wanted {
  /** The page's path, decoded. */
  path: string;
  /** What the page is there for: its rows, its facts, its fields. */
  content: string;
  /** What is used to see whether the page answers. */
  control: string;
}

/**
 * Resolves when a page is usable: its content is there, nothing says that it is still loading, and a control answers. A
 * control that does not is tried again, as people do.
 * @returns milliseconds since the page was asked for, or since `from`
 */
export function usable({ path, content, control, from = 0 }: Wanted & { from?: number }): Promise<number> {
  const shown = (element: Element) => element.getClientRects().length > 0;
  const ready = (): HTMLElement | undefined => {
    const main = document.getElementById("content");
    if (!main || decodeURIComponent(location.pathname) !== path) return;
    if (main.querySelector("[class*=animate-pulse], [aria-busy=true]")) return;
    const leaves = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (leaves.nextNode()) if (/^\s*Loading\b/.test(leaves.currentNode.textContent ?? "")) return;
    if (![...main.querySelectorAll(content)].some(shown)) return;
    return [...main.querySelectorAll<HTMLElement>(control)].find((each) => shown(each) && !each.matches(":disabled"));
  };
  const use = (element: HTMLElement): void => {
    if (element instanceof HTMLSelectElement) {
      element.selectedIndex = (element.selectedIndex + 1) % element.options.length;
      element.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (element instanceof HTMLInputElement && element.type === "file") {
      const files = new DataTransfer();
      files.items.add(new File(["email,currency,amount,title\nada@example.com,EUR,10.50,Order\n"], "links.csv"));
      element.files = files.files;
      element.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (element instanceof HTMLButtonElement && element.type === "submit") {
      // A click before the page's scripts have loaded would send the form, and leave the page.
      element.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    } else element.click();
  };
  return new Promise((resolve, reject) => {
    let used = 0;
    let answered = false;
    const answer = new MutationObserver(() => {
      answered = true;
      answer.disconnect();
      resolve(performance.now() - from);
    });
    const look = (): void => {
      if (answered) return;
      const now = performance.now();
      if (now - from > 60_000) {
        reject(new Error(`${path} is not usable after 60 s`));
        return;
      }
      if (now - used > 250) {
        const element = ready();
        if (element) {
          used = now;
          answer.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
          use(element);
        }
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/**
 * Follows a link of the page that is shown, or goes there as a link would where the page has none. A row's link opens the side
 * peek, not the page.
 */
export function follow({ link, path }: { link: string; path: string }): { path: string; from: number } {
  const found = document.querySelector<HTMLAnchorElement>(link);
  const from = performance.now();
  if (found && !found.closest("tbody")) {
    found.click();
    return { path: decodeURIComponent(found.pathname), from };
  }
  (window as unknown as { next: { router: { push(path: string): void } } }).next.router.push(path);
  return { path, from };
}

/**
 * Clicks a link of the navigation.
 * @returns milliseconds until a painted frame shows the heading of its page, which is named like the link
 */
export function clickToFrame(selector: string): Promise<number> {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  if (!link) throw new Error(`There is no ${selector}`);
  const title = link.textContent;
  const from = performance.now();
  link.click();
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const shown = [...document.querySelectorAll("#content h1")].some(
        (each) => each.textContent === title && each.checkVisibility({ visibilityProperty: true }),
      );
      const elapsed = performance.now() - from;
      if (shown) requestAnimationFrame(() => resolve(performance.now() - from));
      else if (elapsed > 60_000) reject(new Error(`${title} is not shown after 60 s`));
      else requestAnimationFrame(look);
    };
    look();
  });
}
