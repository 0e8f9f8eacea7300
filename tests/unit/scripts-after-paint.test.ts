import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scriptsAfterPaint } from "@/server/scripts-after-paint";

const script = `<script src="/_next/static/chunks/a-1.js" async="" nonce="x="></script>`;
const bootstrap = `<script src="/_next/static/chunks/b~2.js" nonce="x=" async=""></script>`;
/** What stays as it is. */
const others = [
  `<script src="/_next/static/chunks/old.js" noModule="" nonce="x="></script>`,
  `<script src="/elsewhere.js" async="" nonce="x="></script>`,
  `<script src="/_next/static/chunks/no-nonce.js" async=""></script>`,
  `<script nonce="x=">self.__next_f.push("\\u003cscript src=\\"/_next/static/c.js\\" async=\\"\\">")</script>`,
  `<p title="a &lt; b">1 < 2, &lt;script src="/_next/static/d.js" async=""&gt;</p>`,
  "<",
  "ü€😀",
];

const changed = (chunks: (string | Buffer)[]): Promise<string> => text(Readable.from(chunks).pipe(scriptsAfterPaint()));

/** The inline script that starts the others. */
const starter = /<script nonce="x=">\(\(\) => \{.*?\}\)\(\)<\/script>/gs;

it("lets the framework's scripts load, but not run, and puts what starts them in front of the first", async () => {
  const html = await changed([`<html><head>${script}</head><body>text${bootstrap}</body></html>`]);
  expect(html.replace(starter, "(starter)")).toBe(
    [
      `<html><head>(starter)<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/a-1.js" nonce="x="/>`,
      `<script type="after-paint" src="/_next/static/chunks/a-1.js" async="" nonce="x="></script></head>`,
      `<body>text<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/b~2.js" nonce="x="/>`,
      `<script type="after-paint" src="/_next/static/chunks/b~2.js" nonce="x=" async=""></script></body></html>`,
    ].join(""),
  );
});

it("lets small scripts load when the page is painted, and others from the start", async () => {
  const names = (html: string) =>
    [...html.matchAll(/(href|src)="\/_next\/static\/chunks\/([^"]*)"/g)].map(([, at, name]) => [at, name]);
  const sizes = new Map([
    ["/_next/static/chunks/large.js", 14_000],
    ["/_next/static/chunks/small.js", 13_999],
  ]);
  const page = ["large.js", "small.js?dpl=1", "unknown.js"]
    .map((name) => `<script src="/_next/static/chunks/${name}" async="" nonce="x="></script>`)
    .join("");
  const html = await text(Readable.from([page]).pipe(scriptsAfterPaint((path) => sizes.get(path))));
  expect(names(html)).toEqual([
    ["href", "large.js"],
    ["src", "large.js"],
    ["src", "small.js?dpl=1"],
    ["href", "unknown.js"],
    ["src", "unknown.js"],
  ]);
});

it.each(others)("leaves %s", async (html) => {
  expect(await changed([html])).toBe(html);
});

it("gives the same HTML however it is split", async () => {
  const parts = fc.array(fc.constantFrom(script, bootstrap, ...others), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(parts, fc.array(fc.nat(), { maxLength: 12 }), async (pieces, cuts) => {
      const html = Buffer.from(pieces.join(""));
      const at = [0, ...cuts.map((cut) => cut % (html.length + 1)).sort((one, other) => one - other), html.length];
      const chunks = at.slice(1).map((end, n) => html.subarray(at[n], end));
      expect(await changed(chunks)).toBe(await changed([html]));
    }),
  );
});
