import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { receiptPdf } from "@/components/payer/receipt-pdf";
import { openPdfRenderer, type PdfRenderer } from "@/lib/payer/pdf-renderer";
import type { Receipt } from "@/lib/payer/receipt";
import { plainBrand } from "@/lib/resources/settings/brand";
import { maxLogoBytes } from "@/lib/resources/settings/contract";
import { type Image, readImage } from "@/lib/resources/settings/image";
import { chunk, jpeg, png } from "@/tests/support/images";

const transparency = (...bytes: number[]) => [chunk("tRNS", Buffer.from(bytes))];
const html = Buffer.from("<script>alert(1)</script>");
const comment = chunk("tEXt", Buffer.concat([Buffer.from("Comment\0"), html]));
const noise = sharp({
  create: {
    width: 400,
    height: 300,
    channels: 3,
    background: "#888",
    noise: { type: "gaussian", mean: 128, sigma: 50 },
  },
});

const accepted: [string, Buffer][] = [
  ["PNG in colours", png()],
  ["PNG in colours, one of them transparent", png({ more: transparency(0, 0x1d, 0, 0x4e, 0, 0xd8) })],
  ["PNG in grey", png({ colour: 0 })],
  ["PNG in grey, one of them transparent", png({ colour: 0, more: transparency(0, 0xa0) })],
  ["PNG in black and white", png({ colour: 0, depth: 1 })],
  ["PNG with a palette, half transparent", png({ colour: 3, more: transparency(0xff, 0x40) })],
  ["PNG in grey with transparency", png({ colour: 4 })],
  ["PNG in colours with transparency", png({ colour: 6 })],
  ["PNG of 16 bits", png({ depth: 16 })],
  ["interlaced PNG", await sharp(png()).png({ progressive: true }).toBuffer()],
  ["animated PNG", png({ more: [chunk("acTL", Buffer.alloc(8))] })],
  ["PNG with a comment", png({ more: [comment] })],
  ["PNG with HTML behind it", Buffer.concat([png(), html])],
  ["JPEG", jpeg()],
  ["progressive JPEG", jpeg(64, 32, { progressive: true })],
  ["JPEG in grey", jpeg(100, 50, { parts: 1 })],
  ["JPEG in CMYK", jpeg(64, 32, { parts: 4 })],
  ["JPEG from a camera", jpeg(64, 32, { exif: html.toString() })],
  ["JPEG with HTML behind it", Buffer.concat([jpeg(), html])],
  ["the largest", png({ width: 1024, height: 1024, colour: 3, depth: 1 })],
  ["the smallest", png({ width: 16, height: 16 })],
];

async function read(bytes: Buffer): Promise<Image> {
  const image = await readImage(bytes);
  if ("problem" in image) throw new Error(`refused${image.problem}`);
  return image;
}

let renderer: PdfRenderer;
beforeAll(async () => {
  renderer = await openPdfRenderer();
});

/** Whether the receipt contains the image. */
async function printed({ type, content, width, height }: Image): Promise<boolean> {
  const brand = { ...plainBrand, business_id: 1, logo_hash: "0".repeat(64), logo_width: width, logo_height: height };
  const receipt: Receipt = {
    token: "t".repeat(43),
    payment_id: "pay_000000000000000000000000000000000000",
    livemode: true,
    amount_cents: 1050,
    tax_basis_points: null,
    currency: "EUR",
    card_brand: "visa",
    card_last4: "4242",
    method: null,
    paid_on: null,
    reversed_at: null,
    paid_at: new Date("2026-11-22T10:00:00Z"),
    language: "en",
    title: "Order 1001",
    description: null,
    reference: null,
    business_name: "Blue Bottle Books",
    seller_details: null,
    business_timezone: "Europe/Berlin",
    brand,
    refunds: [],
  };
  return Buffer.from(await renderer.render(receiptPdf(receipt, renderer, { type, content }))).includes(
    "/Subtype /Image",
  );
}

describe("an accepted image", () => {
  it.each(accepted)("%s: is plain, and a receipt shows it", async (_, bytes) => {
    const image = await read(bytes);
    const { format, width, height, space, depth, isProgressive, exif, icc, comments } = await sharp(
      image.content,
    ).metadata();
    expect([`image/${format}`, width, height, space, depth]).toEqual([
      ...[image.type, image.width, image.height],
      ...["srgb", "uchar"],
    ]);
    expect([isProgressive, exif, icc, comments]).toEqual([false, undefined, undefined, undefined]);
    expect(image.content.includes("script")).toBe(false);
    expect(await printed(image)).toBe(true);
  });

  it("keeps each pixel and the transparency of a PNG", async () => {
    const original = png({ colour: 6 });
    const raw = (bytes: Buffer) => sharp(bytes).ensureAlpha().raw().toBuffer();
    expect((await raw((await read(original)).content)).equals(await raw(original))).toBe(true);
  });

  it("is upright, as its camera was held", async () => {
    const turned = await sharp(jpeg(64, 32)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await read(turned)).toMatchObject({ width: 32, height: 64 });
  });

  it("fits into 24 kB, with fewer colours or less quality if needed", async () => {
    const size = Math.floor(Math.sqrt(maxLogoBytes / 1.2));
    const detailed = noise.clone().resize(size, size);
    for (const bytes of [
      await detailed.clone().png({ palette: true, colours: 256 }).toBuffer(),
      await noise.clone().jpeg({ quality: 20 }).toBuffer(),
    ]) {
      expect(bytes.length).toBeLessThanOrEqual(maxLogoBytes);
      expect((await read(bytes)).content.length).toBeLessThanOrEqual(maxLogoBytes);
    }
  });
});

it("becomes smaller if its details do not fit otherwise", async () => {
  const detailed = await noise.clone().resize({ width: 800, kernel: "nearest" }).jpeg({ quality: 70 }).toBuffer();
  expect(detailed.length).toBeGreaterThan(maxLogoBytes);
  const { width, height, content } = await read(detailed);
  expect(content.length).toBeLessThanOrEqual(maxLogoBytes);
  expect(width).toBeLessThan(800);
  expect(Math.abs(width / height - 4 / 3)).toBeLessThan(0.02);
});

const broken = png();
broken[broken.length - 20] = (broken[broken.length - 20] ?? 0) ^ 1;

it.each<[string, Buffer, string]>([
  ["GIF that is a script too", Buffer.from("GIF89a/*\x40\0\x40\0\0\0\0;*/=1;alert(1)", "latin1"), ""],
  ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'), ""],
  ["WebP", await noise.clone().resize(20).webp().toBuffer(), ""],
  ["PDF", Buffer.from("%PDF-1.7"), ""],
  ["nothing", Buffer.alloc(0), ""],
  ["HTML before a PNG", Buffer.concat([html, png()]), ""],
  ["PNG with a changed bit", broken, ": it is damaged or cut off"],
  ["PNG with too few rows", png({ rows: 3 }), ": it is damaged or cut off"],
  ["PNG with an unknown critical chunk", png({ more: [chunk("EVIL", html)] }), ": it is damaged or cut off"],
  ["PNG that is cut off", png().subarray(0, -20), ": it is damaged or cut off"],
  ["PNG of 30,000 pixels", png({ width: 30_000, height: 16, rows: 0 }), ": it has 30000 × 16"],
  ["PNG of 4 billion pixels", png({ width: 65_535, height: 65_535, rows: 0 }), ": it has 65535 × 65535"],
  ["JPEG of 65,000 pixels", jpeg(65_000, 16, { parts: 1 }), ": it has 65000 × 16"],
  ["JPEG that is cut off", jpeg().subarray(0, -2), ": it is damaged or cut off"],
  ["JPEG without pixels", Buffer.concat([jpeg().subarray(0, 100), jpeg().subarray(-2)]), ": it is damaged or cut off"],
])("is refused: %s", async (_, bytes, problem) => {
  expect(await readImage(bytes)).toEqual({ problem });
});

it("no input makes it fail, and every accepted image can be printed", async () => {
  const base = fc.constantFrom(...accepted.map(([, bytes]) => bytes).filter((bytes) => bytes.length < 2000));
  const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(base, changes, fc.nat(200), async (bytes, list, cut) => {
      const changed = Buffer.from(bytes.subarray(0, cut < 150 ? undefined : -cut));
      for (const [at, value] of list) if (at < changed.length) changed[at] = value;
      const found = await readImage(changed);
      if (!("problem" in found)) expect(await printed(found)).toBe(true);
    }),
    { numRuns: 40 },
  );
});
