import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const root = join(import.meta.dirname, "../..");

export interface Block {
  /** As written behind the fence; "" for an indented block. */
  language: string;
  /** Path of the file and number of the first line, for messages. */
  where: string;
  lines: string[];
}

export interface Document {
  path: string;
  /** Without code blocks; the lines keep their numbers. */
  prose: string[];
  blocks: Block[];
}

function parse(path: string): Document {
  const prose: string[] = [];
  const blocks: Block[] = [];
  let open: Block | null = null;
  let indented: Block | null = null;
  for (const [index, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
    const fence = /^\s*```(\w*)/.exec(line);
    const where = `${path}:${index + 2}`;
    if (fence) {
      open = open ? null : { language: fence[1] ?? "", where, lines: [] };
      if (open) blocks.push(open);
    } else if (open) open.lines.push(line);
    else if (/^ {4}\S/.test(line) && (indented || prose.at(-1) === "")) {
      if (!indented) {
        indented = { language: "", where: `${path}:${index + 1}`, lines: [] };
        blocks.push(indented);
      }
      indented.lines.push(line.trim());
    } else {
      indented = null;
      prose.push(line);
      continue;
    }
    prose.push("");
  }
  return { path, prose, blocks };
}

function* markdownFiles(): Generator<string> {
  for (const name of readdirSync(root)) if (name.endsWith(".md")) yield name;
  for (const path of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".md")) yield relative(root, join(root, "docs", path));
}

/** README, its neighbours, and everything below docs. */
export const documents: Document[] = [...markdownFiles()].sort().map(parse);

export interface Span {
  where: string;
  text: string;
}

/** What stands between backticks in the running text and in tables. */
export const codeSpans = ({ path, prose }: Document): Span[] =>
  prose.flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => ({ where: `${path}:${index + 1}`, text })),
  );

/** Targets of links and images. */
export const links = ({ path, prose }: Document): Span[] =>
  prose.flatMap((line, index) =>
    [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, text = ""]) => ({
      where: `${path}:${index + 1}`,
      text,
    })),
  );

/** The names under which a document's headings can be linked to. */
export const anchors = ({ prose }: Document): string[] =>
  prose
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    );

/** A shell block's commands, with continued lines joined and comments left out. */
export const commandsOf = ({ lines }: Block): string[] =>
  lines
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/\s+#\s.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
