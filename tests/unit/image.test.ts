import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { receiptPdf } from "@/components/payer/receipt-pdf";
import { openPdfRenderer, type PdfRenderer } from "@/lib/payer/pdf-renderer";
import type { Receipt } from "@/lib/payer/receipt";
import { plainBrand } from "@/lib/resources/settings/brand";
import { type Image, readImage } from "@/lib/resources/settings/image";
import { chunk, jpeg, png } from "@/tests/support/images";

const transparency = (...bytes: number[]) => [chunk("tRNS", Buffer.from(bytes))];

const taken: [string, Buffer][] = [
  ["PNG in colours", png()],
  ["PNG in colours, one of them transparent", png({ more: transparency(0, 0x1d, 0, 0x4e, 0, 0xd8) })],
  ["PNG in grey", png({ colour: 0 })],
  ["PNG in grey, one of them transparent", png({ colour: 0, more: transparency(0, 0xa0) })],
  ["PNG in black and white", png({ colour: 0, depth: 1 })],
  ["PNG in sixteen greys", png({ colour: 0, depth: 4 })],
  ["PNG with a palette", png({ colour: 3 })],
  ["PNG with a palette of two", png({ colour: 3, depth: 1 })],
  ["PNG with a palette, half transparent", png({ colour: 3, more: transparency(0xff, 0x40) })],
  ["PNG with a palette of two, half transparent", png({ colour: 3, depth: 1, more: transparency(0x40) })],
  ["PNG in grey with transparency", png({ colour: 4 })],
  ["PNG in colours with transparency", png({ colour: 6 })],
  ["PNG with lines filtered in five ways", png({ colour: 6, filter: 4 })],
  ["JPEG", jpeg()],
  ["progressive JPEG", jpeg(64, 32, { progressive: true })],
  ["JPEG in grey", jpeg(100, 50, { parts: 1 })],
  ["JPEG with filling before its end", Buffer.concat([jpeg().subarray(0, -2), Buffer.from([0xff, 0xff, 0xff, 0xd9])])],
  ["JPEG from a camera", jpeg(64, 32, { exif: "<script>alert(1)</script>" })],
  ["the largest", png({ width: 1024, height: 1024, colour: 3, depth: 1 })],
  ["the smallest", png({ width: 16, height: 16 })],
];

function read(bytes: Buffer): Image {
  const image = readImage(bytes);
  if ("problem" in image) throw new Error(`refused${image.problem}`);
  return image;
}

let renderer: PdfRenderer;
beforeAll(async () => {
  renderer = await openPdfRenderer();
});

/** Whether a receipt shows it. */
async function printed({ type, content, width, height }: Image): Promise<boolean> {
  const brand = { ...plainBrand, business_id: 1, logo_hash: "0".repeat(64), logo_width: width, logo_height: height };
  const receipt: Receipt = {
    token: "t".repeat(43),
    payment_id: "pay_000000000000000000000000000000000000",
    livemode: true,
    amount_cents: 1050,
    currency: "EUR",
    card_brand: "visa",
    card_last4: "4242",
    paid_at: new Date("2026-11-22T10:00:00Z"),
    title: "Order 1001",
    description: null,
    reference: null,
    business_name: "Blue Bottle Books",
    business_timezone: "Europe/Berlin",
    brand,
    refunds: [],
  };
  return Buffer.from(await renderer.render(receiptPdf(receipt, renderer, { type, content }))).includes(
    "/Subtype /Image",
  );
}

describe("an accepted image", () => {
  it.each(taken)("%s: can be printed, and is only an image", async (_, bytes) => {
    const image = read(bytes);
    expect(image.content.toString("latin1")).not.toMatch(/script|Exif|tEXt/);
    expect(read(image.content).content.equals(image.content)).toBe(true);
    expect(await printed(image)).toBe(true);
  });

  it("is byte-identical when nothing has to be removed", () => {
    for (const bytes of [png(), png({ colour: 3, more: transparency(1) }), jpeg()])
      expect(read(bytes).content.equals(bytes)).toBe(true);
  });

  it("loses its text, location and embedded images", () => {
    const words = chunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>"));
    const animated = chunk("acTL", Buffer.alloc(8));
    expect(read(png({ more: [words, animated] })).content.equals(png())).toBe(true);
    expect(read(jpeg(64, 32, { exif: "49.3N 8.4E" })).content.equals(jpeg())).toBe(true);
  });
});

const html = Buffer.from("<script>alert(1)</script>");
const gif = Buffer.from("GIF89a/*\x40\0\x40\0\0\0\0;*/=1;alert(1)", "latin1");
const broken = png();
broken[broken.length - 20] = (broken[broken.length - 20] ?? 0) ^ 1;

/** A PNG whose chunk of pixels goes on behind them. */
function fatPixels(): Buffer {
  const whole = png();
  const at = whole.indexOf("IDAT") - 4;
  const end = at + 12 + whole.readUInt32BE(at);
  const pixels = chunk("IDAT", Buffer.concat([whole.subarray(at + 8, end - 4), html]));
  return Buffer.concat([whole.subarray(0, at), pixels, whole.subarray(end)]);
}

/** A JPEG with a part of its own behind its beginning. */
function withPart(marker: number, words: string): Buffer {
  const data = Buffer.concat([Buffer.from(words, "latin1"), html]);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg().subarray(0, 2), head, data, jpeg().subarray(2)]);
}

/** A JPEG of which one byte of a segment is another: the first three are its marker and half its length. */
function altered(whole: Buffer, marker: number, at: number, byte: number): Buffer {
  whole[whole.indexOf(Buffer.from([0xff, marker])) + at] = byte;
  return whole;
}

it.each([
  ["thumbnail", 0xe0, "JFXX\0\x13"],
  ["place", 0xf0, ""],
  ["Adobe's word with more behind it", 0xee, "Adobe\0"],
  ["comment", 0xfe, ""],
])("loses a JPEG's %s", (_, marker, words) => {
  expect(read(withPart(marker, words)).content.includes(html)).toBe(false);
});

it.each<[string, Buffer, string]>([
  ["PNG with HTML behind its pixels", fatPixels(), ": it is damaged"],
  ["GIF that is a script too", gif, ""],
  ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), ""],
  ["a document", Buffer.from("<!doctype html><script>alert(1)</script>"), ""],
  ["PDF", Buffer.from("%PDF-1.7"), ""],
  ["nothing", Buffer.alloc(0), ""],
  ["PNG with HTML behind it", Buffer.concat([png(), html]), ": something else stands behind it"],
  ["two PNGs", Buffer.concat([png(), png()]), ": something else stands behind it"],
  ["JPEG with HTML behind it", Buffer.concat([jpeg(), html]), ": something else stands behind it"],
  ["JPEG with HTML and another end", Buffer.concat([jpeg(), html, jpeg().subarray(-2)]), ": something else"],
  ["HTML before a PNG", Buffer.concat([html, png()]), ""],
  ["PNG of 16 bits", png({ depth: 16 }), ": it has 16 bits a sample"],
  ["interlaced PNG", png({ interlaced: true }), ": it is interlaced"],
  ["PNG with a changed bit", broken, ": it is damaged"],
  ["PNG that unpacks to more", png({ rows: 4000 }), ": it is damaged"],
  ["PNG that unpacks to less", png({ rows: 3 }), ": it is damaged"],
  ["PNG with lines filtered in a sixth way", png({ filter: 5 }), ": it is damaged"],
  ["PNG in a palette's colours without one", png({ colour: 6, depth: 4 }), ": it is damaged"],
  ["PNG with two headers", png({ more: [png().subarray(8, 33)] }), ": it is damaged"],
  ["PNG with what nobody knows and must", png({ more: [chunk("EVIL", html)] }), ": it is damaged"],
  ["PNG with too many transparent signs", png({ colour: 3, more: transparency(1, 2, 3) }), ": it is damaged"],
  ["PNG of 30,000 pixels", png({ width: 30_000, height: 16, rows: 0 }), ": it has 30000 × 16"],
  ["JPEG of 65,535 pixels", jpeg(65_535, 16, { parts: 1 }), ": it has 65535 × 16"],
  ["JPEG in CMYK", jpeg(64, 32, { parts: 4 }), ": it is in CMYK, and must be in RGB or grey"],
  ["JPEG that is cut off", jpeg().subarray(0, -2), ": it is damaged"],
  ["JPEG without pixels", Buffer.concat([jpeg().subarray(0, 100), jpeg().subarray(-2)]), ": it is damaged"],
  ["JPEG whose scan says that it is longer", altered(jpeg(), 0xda, 3, 0x22), ": it is damaged"],
  ["JPEG whose codes are fewer than it says", altered(jpeg(), 0xc4, 5, 1), ": it is damaged"],
  ["JPEG whose tables end too soon", altered(jpeg(), 0xdb, 3, 66), ": it is damaged"],
  ["JPEG with tables of 16 bits", altered(jpeg(), 0xdb, 4, 0x10), ": its quantization tables have 16 bits"],
  ["JPEG without loss", Buffer.from(jpeg().map((byte) => (byte === 0xc0 ? 0xc3 : byte))), ": it is a JPEG of a kind"],
])("is refused: %s", (_, bytes, problem) => {
  const found = readImage(bytes);
  expect("problem" in found ? found.problem : "taken").toMatch(problem === "" ? /^$/ : problem);
});

it("no input makes it fail, and every accepted image can be printed", async () => {
  const base = fc.constantFrom(...taken.map(([, bytes]) => bytes).filter((bytes) => bytes.length < 2000));
  const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(base, changes, fc.nat(200), async (bytes, list, off) => {
      const changed = Buffer.from(bytes.subarray(0, off < 150 ? undefined : -off));
      for (const [at, value] of list) if (at < changed.length) changed[at] = value;
      const found = readImage(changed);
      if (!("problem" in found)) expect(await printed(found)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
