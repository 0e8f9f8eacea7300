import { crc32, inflateSync } from "node:zlib";

export interface Image {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
  /** What shows it and nothing else: without comments, places, cameras, thumbnails. */
  content: Buffer;
}

/** Why an image is not taken, as the end of a sentence. */
export interface NoImage {
  problem: string;
}

/** In pixels, either way. */
export const mostPixels = 1024;
const least = 16;

const no = (problem: string): NoImage => ({ problem });
const damaged = no(": it is damaged or cut off");
const followed = no(": something else stands behind it");

/**
 * What an image is by its bytes, whatever it is called. Nothing but a whole PNG or JPEG of a size that pages, mails and PDFs
 * can show: no SVG, which is a document with scripts, nothing that is a second thing as well, and nothing that unpacks to
 * more than it should.
 */
export function readImage(bytes: Buffer): Image | NoImage {
  if (bytes.subarray(0, 8).equals(pngBeginning)) return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  return no("");
}

function sizeProblem(width: number, height: number): NoImage | null {
  const fits = [width, height].every((side) => side >= least && side <= mostPixels);
  return fits ? null : no(`: it has ${width} × ${height}`);
}

const pngBeginning = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** By colour type: samples in a pixel, how many bits they may have, and how long a chunk of transparency then is at most. */
const colours: Record<number, { samples: number; depths: number[]; transparency: number }> = {
  0: { samples: 1, depths: [1, 2, 4, 8], transparency: 2 },
  2: { samples: 3, depths: [8], transparency: 6 },
  3: { samples: 1, depths: [1, 2, 4, 8], transparency: 256 },
  4: { samples: 2, depths: [8], transparency: 0 },
  6: { samples: 4, depths: [8], transparency: 0 },
};
const needed = /^(IHDR|PLTE|tRNS|IDAT|IEND|gAMA|cHRM|sRGB)$/;

interface Chunk {
  name: string;
  data: Buffer;
  whole: Buffer;
}

/** The chunks of a PNG up to its end, each with the sum that it says it has; null when it has no end. */
function chunksOf(bytes: Buffer): { chunks: Chunk[]; end: number } | null {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    const name = bytes.toString("latin1", at + 4, at + 8);
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (name === "IEND") return { chunks, end };
    at = end;
  }
  return null;
}

/** PNG (Third Edition, W3C): chunk by chunk, with its pixels unpacked. Not interlaced, which the PDF's printer cannot read. */
function readPng(bytes: Buffer): Image | NoImage {
  const found = chunksOf(bytes);
  if (!found) return damaged;
  if (found.end !== bytes.length) return followed;
  const chunks = found.chunks.filter(({ name }) => needed.test(name));
  const header = chunks[0]?.data;
  if (chunks[0]?.name !== "IHDR" || header?.length !== 13) return damaged;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, , , interlaced] = header.subarray(8);
  const kind = colours[colour];
  if (depth === 16) return no(": it has 16 bits a sample, and must have 8");
  if (!kind?.depths.includes(depth)) return damaged;
  if (interlaced !== 0) return no(": it is interlaced");
  const wrongSize = sizeProblem(width, height);
  if (wrongSize) return wrongSize;
  // In this order, the pixels without a gap. A chunk that must be understood and is not of these is not understood.
  const order = found.chunks.filter(({ name }) => /^[A-Z]|^tRNS$/.test(name)).map(({ name }) => name);
  if (!/^IHDR (PLTE )?(tRNS )?(IDAT )+IEND $/.test(order.map((name) => `${name} `).join(""))) return damaged;
  const dataOf = (wanted: string) => chunks.find(({ name }) => name === wanted)?.data;
  const [palette, transparency] = [dataOf("PLTE"), dataOf("tRNS")];
  const signs = (palette?.length ?? 0) / 3;
  if (!Number.isInteger(signs) || signs > 256 || (colour === 3 && (signs < 1 || signs > 2 ** depth))) return damaged;
  if (transparency && transparency.length > (colour === 3 ? signs : kind.transparency)) return damaged;
  const line = 1 + Math.ceil((width * kind.samples * depth) / 8);
  const packed = chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data);
  const pixels = unpacked(Buffer.concat(packed), height * line);
  if (!pixels) return damaged;
  // Each line begins with how it was filtered, in one of five ways.
  for (let at = 0; at < pixels.length; at += line) if ((pixels[at] ?? 0) > 4) return damaged;
  const content = Buffer.concat([pngBeginning, ...chunks.map(({ whole }) => whole)]);
  return { type: "image/png", width, height, content };
}

/** Exactly so many bytes, or null; never more than that in memory. */
function unpacked(packed: Buffer, expected: number): Buffer | null {
  try {
    const { buffer: pixels, engine } = inflateSync(packed, {
      maxOutputLength: expected + 1,
      info: true,
    }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    // What stands behind the stream, within the chunk, would be a second thing.
    return pixels.length === expected && engine.bytesWritten === packed.length ? pixels : null;
  } catch {
    return null;
  }
}

/** JPEG (ITU-T T.81): from marker to marker to its end. Baseline, extended and progressive, which browsers and PDFs show. */
function readJpeg(bytes: Buffer): Image | NoImage {
  const kept = [bytes.subarray(0, 2)];
  const seen = new Set<number>();
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return damaged;
    if (marker === 0xff) {
      at += 1; // may be written more than once
      continue;
    }
    if (marker === 0xd9) {
      if (!size || !seen.has(0xda)) return damaged;
      if (at + 2 !== bytes.length) return followed;
      return { type: "image/jpeg", ...size, content: Buffer.concat([...kept, bytes.subarray(at)]) };
    }
    // Neither stuffed pixels nor a marker without a length may stand here (B.1.1.3).
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || at + 4 > bytes.length) return damaged;
    const length = bytes.readUInt16BE(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return damaged;
    if (isFrame(marker)) {
      const frame = readFrame(marker, bytes.subarray(at + 4, end));
      if ("problem" in frame || size) return "problem" in frame ? frame : damaged;
      size = frame;
    }
    const wrongParts = partProblem(marker, bytes.subarray(at + 4, end));
    if (wrongParts) return wrongParts;
    // A scan needs a frame, its quantization and its codes.
    if (marker === 0xda) {
      if (!size || !seen.has(0xdb) || !seen.has(0xc4)) return damaged;
      end = endOfScan(bytes, end);
    }
    seen.add(marker);
    if (isFrame(marker) || shows.has(marker)) kept.push(bytes.subarray(at, end));
    // Of what applications add, only Adobe's word on how the colours are to be read. No thumbnails, places, comments.
    if (marker === 0xee && length === 14 && bytes.toString("latin1", at + 4, at + 9) === "Adobe")
      kept.push(bytes.subarray(at, end));
    at = end;
  }
  return damaged;
}

/** DHT, DQT, SOS, DRI: what a JPEG needs beside its frame. */
const shows = new Set([0xc4, 0xdb, 0xda, 0xdd]);

/**
 * Whether a segment's own lengths fill it (B.2.3, B.2.4): a reader that goes by these and one that goes by the segment's
 * would otherwise go on at different places.
 */
function partProblem(marker: number, data: Buffer): NoImage | null {
  let at = 0;
  if (marker === 0xda) at = 4 + 2 * (data[0] ?? 0);
  else if (marker === 0xdd) at = 2;
  else if (marker === 0xdb)
    for (; at < data.length; at += 65) {
      if ((data[at] ?? 0) >> 4 !== 0) return no(": its quantization tables have 16 bits, and must have 8");
    }
  else if (marker === 0xc4)
    for (; at < data.length; at += 17 + codes(data.subarray(at + 1, at + 17))) {
      if (data.length - at < 17) return damaged;
    }
  else return null;
  return at === data.length ? null : damaged;
}

const codes = (counts: Buffer): number => counts.reduce((sum, count) => sum + count, 0);

/** SOF0 to SOF15, without DHT, JPG and DAC in between. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readFrame(marker: number, frame: Buffer): { width: number; height: number } | NoImage {
  if (marker > 0xc2) return no(": it is a JPEG of a kind that browsers do not show");
  const parts = frame[5] ?? 0;
  if (frame.length !== 6 + 3 * parts) return damaged;
  if (parts === 4) return no(": it is in CMYK, and must be in RGB or grey");
  if (frame[0] !== 8 || (parts !== 1 && parts !== 3)) return damaged;
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  return sizeProblem(width, height) ?? { width, height };
}

/** Where the coded pixels end: at a 0xff that neither is stuffed nor begins a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
