import type { SearchEntry } from "./search-index";

/**
 * The script of the reference: search, copy buttons, and other languages in place. It is inlined as text, so it refers to
 * nothing outside itself. Without it everything can be read, and each language is a link.
 */
function start(): void {
  const maxResults = 12;
  const search = document.getElementById("search") as HTMLElement;
  const field = document.getElementById("search-field") as HTMLInputElement;
  const results = document.getElementById("search-results") as HTMLElement;
  const status = document.getElementById("search-status") as HTMLElement;

  let index: Promise<SearchEntry[]> | undefined;
  let found: SearchEntry[] = [];
  let active = -1;

  function load(): Promise<SearchEntry[]> {
    index ??= fetch("/docs/search").then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    });
    index.catch(() => {
      index = undefined; // the next key tries again
    });
    return index;
  }

  /** Lower is better; -1: no match. A title comes before what it belongs to. */
  function rank([title, context]: SearchEntry, words: string[]): number {
    const name = title.toLowerCase();
    const whole = `${name} ${context.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return -1;
    const first = words[0] ?? "";
    if (name === words.join(" ")) return 0;
    if (name.startsWith(first)) return 1;
    return name.includes(first) ? 2 : 3;
  }

  async function find(): Promise<void> {
    const text = field.value.trim().toLowerCase();
    if (text === "") return close();
    const isLeft = () => field.value.trim().toLowerCase() !== text || document.activeElement !== field;
    try {
      const entries = await load();
      if (isLeft()) return;
      const words = text.split(/\s+/);
      const matches = entries
        .map((entry) => ({ entry, rank: rank(entry, words) }))
        .filter((match) => match.rank >= 0)
        .sort((a, b) => a.rank - b.rank);
      found = matches.slice(0, maxResults).map(({ entry }) => entry);
      const more = matches.length > found.length ? `, the first ${found.length} are shown` : "";
      const count = `${matches.length} ${matches.length === 1 ? "result" : "results"}`;
      status.textContent = matches.length === 0 ? `No results for “${field.value.trim()}”` : `${count}${more}`;
    } catch {
      if (isLeft()) return;
      found = [];
      status.textContent = "The search failed. Type again to retry.";
    }
    active = found.length > 0 ? 0 : -1;
    show();
  }

  function show(): void {
    results.replaceChildren(
      ...found.map(([title, context, href], at) => {
        const item = document.createElement("div");
        item.id = `result-${at}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(at === active));
        const name = document.createElement("span");
        name.textContent = title;
        const where = document.createElement("small");
        where.textContent = context;
        item.append(name, where);
        item.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
        item.addEventListener("click", () => open(href));
        return item;
      }),
    );
    results.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
    if (active < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `result-${active}`);
    document.getElementById(`result-${active}`)?.scrollIntoView({ block: "nearest" });
  }

  function close(): void {
    found = [];
    active = -1;
    status.textContent = "";
    show();
  }

  function open(href: string): void {
    field.value = "";
    close();
    field.blur();
    const same = new URL(href, location.href).pathname === location.pathname;
    location.assign(href);
    if (same) focusTarget();
  }

  /** The keyboard continues from what was opened. */
  function focusTarget(): void {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  field.addEventListener("focus", () => void load().catch(() => undefined));
  field.addEventListener("input", () => void find());
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // the keys are those of an input method
    const chosen = found[active];
    if (event.key === "Escape") {
      if (field.value === "") field.blur();
      field.value = "";
      close();
    } else if (event.key === "Enter" && chosen) open(chosen[2]);
    else if (event.key === "ArrowDown" && found.length > 0) active = (active + 1) % found.length;
    else if (event.key === "ArrowUp" && found.length > 0) active = (active - 1 + found.length) % found.length;
    else return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) show();
  });
  document.addEventListener("keydown", (event) => {
    const types = (event.target as HTMLElement).matches("input, textarea, select");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || types) return;
    event.preventDefault();
    field.focus();
  });
  search.hidden = false;

  function addCopyButton(code: HTMLElement): void {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        button.textContent = "Copied";
      } catch {
        button.textContent = "Couldn’t copy";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    const caption = code.closest("figure")?.querySelector("figcaption");
    if (caption) caption.append(button);
    else {
      const box = document.createElement("div");
      box.className = "copied";
      code.replaceWith(box);
      box.append(code, button);
    }
  }
  for (const code of document.querySelectorAll<HTMLElement>("main pre")) addCopyButton(code);

  /** Replaces every sample, and keeps the clicked link where it is on the screen. */
  async function setLanguage(link: HTMLAnchorElement): Promise<void> {
    const language = link.dataset.language ?? "";
    const response = await fetch(`/docs/samples/${language}`);
    if (!response.ok) throw new Error(String(response.status));
    const texts: Record<string, string> = await response.json();
    const before = link.getBoundingClientRect().top;
    for (const code of document.querySelectorAll<HTMLElement>("[data-sample]"))
      code.textContent = texts[code.dataset.sample ?? ""] ?? code.textContent;
    for (const each of document.querySelectorAll<HTMLElement>("[data-language]"))
      if (each.dataset.language === language) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    scrollBy({ top: link.getBoundingClientRect().top - before, behavior: "instant" });
  }
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-language]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setLanguage(link).catch(() => location.assign(link.href));
  });
}

export const script = `(${start.toString()})()`;
