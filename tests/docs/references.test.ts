import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { anchors, codeSpans, documents, links, root } from "./markdown";

const there = (path: string) => existsSync(join(root, path));

test("links between the documents lead somewhere", () => {
  const dead = documents.flatMap((document) =>
    links(document).flatMap(({ where, text }) => {
      if (/^[a-z]+:/.test(text)) return [];
      const [file = "", anchor] = text.split("#");
      const path = file === "" ? document.path : normalize(join(dirname(document.path), file));
      if (!there(path)) return [`${where} links to ${text}, and there is no ${path}.`];
      const target = documents.find((one) => one.path === path);
      if (anchor === undefined || (target && anchors(target).includes(anchor))) return [];
      return [`${where} links to ${text}, and ${path} has no such heading.`];
    }),
  );
  expect(dead).toEqual([]);
});

const rooms = [
  "app",
  "components",
  "deploy",
  "docs",
  "lib",
  "messages",
  "prisma",
  "public",
  "scripts",
  "server",
  "tests",
];
const paths = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((path) => `${room}/${path}`),
);
const roomPath = new RegExp(`^(${rooms.join("|")})/\\S+$`);

/** A path as documents write it: <resource>, * and … stand for names, {a,b} for either. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/\/$/, "").replace(/[.+?^$()[\]\\|]/g, "\\$&");
  const source = escaped
    .replace(/<[^>]+>/g, "[^/]+")
    .replace(/\*\*|…/g, ".+")
    .replace(/(?<!\.)\*/g, "[^/]*")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(",", "|")})`);
  return new RegExp(`^${source}$`);
}

const exists = (path: string) => there(path) || paths.some((one) => patternOf(path).test(one));

/** What a reader adds. */
const examples = ["messages/de", "deploy/.env"];

test("files and folders that the documents name exist", () => {
  // A decision names what was there when it was made.
  const current = documents.filter(({ path }) => !path.startsWith("docs/decisions/"));
  const missing = current.flatMap((document) =>
    codeSpans(document)
      .filter(({ text }) => roomPath.test(text))
      .map(({ where, text }) => ({ where, path: text.replace(/[:#]\d+$/, "") }))
      .filter(({ path }) => !examples.includes(path) && !exists(path))
      .map(({ where, path }) => `${where} names ${path}, which does not exist.`),
  );
  expect(missing).toEqual([]);
});

test("a placeholder in a path must match a real name", () => {
  expect(exists("lib/resources/<path>/contract.ts")).toBe(true);
  expect(exists("lib/resources/<path>/{contract,queries}.ts")).toBe(true);
  expect(exists("lib/resources/<path>/missing.ts")).toBe(false);
});

const documentOf = (path: string) => documents.find((one) => one.path === path);
const agents = documentOf("AGENTS.md");

test("AGENTS.md names no file that does not exist, by its path or by its name alone", () => {
  const files = agents
    ? codeSpans(agents).filter(({ text }) => /^[\w.-]+\.(tsx?|mjs|json|prisma|sql)$/.test(text))
    : [];
  expect(files.length).toBeGreaterThan(0);
  const missing = files.filter(({ text }) => !there(text) && !paths.some((path) => path.endsWith(`/${text}`)));
  expect(missing).toEqual([]);
});

test("CONTRIBUTING.md leads to AGENTS.md", () => {
  const contributing = documentOf("CONTRIBUTING.md");
  expect(contributing && links(contributing).map(({ text }) => text)).toContain("AGENTS.md");
});

/** Folders of README's map, by path. A line's indentation says what it lies in: "│  ├─ ui/   what it is". */
function mappedFolders(): string[] {
  const lines = documentOf("README.md")?.blocks.find(({ language }) => language === "text")?.lines ?? [];
  const parents: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = "", name = ""] = /^([│├└─ ]*)([\w<>/-]+)\/(?=[ ,]|$)/.exec(line) ?? [];
    if (name === "") return [];
    parents.length = indent.length / 3;
    parents.push(name);
    return [parents.join("/").replace(/^app\/(?=components|lib)/, "")];
  });
}

test("README's map has every room of lib, and no folder that does not exist", () => {
  const mapped = mappedFolders();
  expect(mapped.filter((path) => !exists(path))).toEqual([]);
  const ours = readdirSync(join(root, "lib")).filter((name) => name !== "generated");
  const inLib = mapped.flatMap((path) => /^lib\/([\w-]+)/.exec(path)?.[1] ?? []);
  expect(inLib.sort()).toEqual(ours.sort());
});

test("every setting is documented", () => {
  const source = readFileSync(join(root, "lib/core/env.ts"), "utf8");
  const settings = [...new Set([...source.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name))];
  const table = documentOf("docs/configuration.md")?.prose ?? [];
  const documented = table.flatMap((line) => /^\| `([A-Z_]+)`/.exec(line)?.[1] ?? []);
  expect(documented.sort()).toEqual(settings.sort());
});

test("npm commands that the documents name exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const missing = documents.flatMap(({ path, prose, blocks }) =>
    [...prose, ...blocks.flatMap(({ lines }) => lines)].flatMap((line) =>
      [...line.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)]
        .map(([, named, short]) => named ?? short ?? "")
        .filter((name) => !Object.hasOwn(scripts, name))
        .map((name) => `${path} names npm run ${name}, which package.json does not have.`),
    ),
  );
  expect(missing).toEqual([]);
});

const performance = documents.find(({ path }) => path === "docs/performance.md");

test("every table of figures names the commit at which it was measured", () => {
  const lines = performance?.prose ?? [];
  const unnamed: string[] = [];
  let commit = false;
  for (const [index, line] of lines.entries()) {
    if (/^#/.test(line)) commit = false;
    if (/\bat `[0-9a-f]{7,40}`/.test(line)) commit = true;
    const figures = line.startsWith("|") && /--:/.test(lines[index + 1] ?? "");
    if (figures && !commit) unnamed.push(`docs/performance.md:${index + 1}`);
  }
  expect(unnamed, "a table without a line such as: Measured at `1a2b3c4`.").toEqual([]);
});

test("the commits that figures were measured at are in the history", () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    if (git("rev-parse", "--is-shallow-repository") !== "false") return;
  } catch {
    return; // no repository: these sources came as an archive
  }
  const named = (performance?.prose.join("\n") ?? "").matchAll(/\bat `([0-9a-f]{7,40})`/g);
  const commits = [...named].map(([, commit = ""]) => commit);
  expect(commits.length).toBeGreaterThan(0);
  for (const commit of commits) {
    const known = () => git("merge-base", "--is-ancestor", commit, "HEAD");
    expect(known, `docs/performance.md names ${commit}, which is not in this branch's history`).not.toThrow();
  }
});
