import { inflateSync } from "node:zlib";

export interface Image {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
}

/** In pixels, either way. */
export const mostPixels = 1024;
const least = 16;

/**
 * What an image is by its bytes, whatever it is called. Null for anything but a whole PNG or JPEG of a size that pages, mails
 * and PDFs can show: no SVG, which is a document with scripts, and nothing that unpacks to more than it should.
 */
export function readImage(bytes: Buffer): Image | null {
  const image = readPng(bytes) ?? readJpeg(bytes);
  if (!image) return null;
  const sides = [image.width, image.height];
  return sides.every((side) => side >= least && side <= mostPixels) ? image : null;
}

const pngBeginning = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples in a pixel, by colour type. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** PNG (Third Edition, W3C): chunk by chunk, with its pixels unpacked. Not interlaced, which the PDF's printer cannot read. */
function readPng(bytes: Buffer): Image | null {
  if (!bytes.subarray(0, 8).equals(pngBeginning) || bytes.length < 45) return null;
  if (bytes.toString("latin1", 12, 16) !== "IHDR" || bytes.readUInt32BE(8) !== 13) return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, colour = 0, , , interlaced] = bytes.subarray(24, 29);
  const perPixel = samples[colour];
  if (!perPixel || ![1, 2, 4, 8].includes(depth) || interlaced !== 0 || Math.max(width, height) > mostPixels)
    return null;
  const parts: Buffer[] = [];
  let at = 8;
  for (;;) {
    if (at + 12 > bytes.length) return null;
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    if (name === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + length));
    if (name === "IEND") break;
    at = end;
  }
  const expected = height * (1 + Math.ceil((width * perPixel * depth) / 8));
  try {
    const pixels = inflateSync(Buffer.concat(parts), { maxOutputLength: expected + 1 });
    return pixels.length === expected ? { type: "image/png", width, height } : null;
  } catch {
    return null;
  }
}

/** JPEG (ITU-T T.81): from marker to marker to the frame, which has the size. */
function readJpeg(bytes: Buffer): Image | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes.at(-2) !== 0xff || bytes.at(-1) !== 0xd9) return null;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    // Baseline, extended and progressive: what browsers and PDFs show.
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      const parts = bytes[at + 9];
      if (bytes[at + 4] !== 8 || (parts !== 1 && parts !== 3)) return null;
      return { type: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (marker === 0xda || length < 2) return null;
    at += 2 + length;
  }
  return null;
}
