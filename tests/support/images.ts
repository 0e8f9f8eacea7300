import { crc32, deflateSync } from "node:zlib";

export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

interface Png {
  width?: number;
  height?: number;
  /** The height of the pixel data, if it differs from the header's. */
  rows?: number;
  /** Bytes of padding. */
  padding?: number;
  /** The PNG colour type: 0 grey, 2 RGB, 3 palette, 4 and 6 with alpha. */
  colour?: 0 | 2 | 3 | 4 | 6;
  /** Bits per sample. */
  depth?: number;
  /** Chunks before the pixels. */
  more?: Buffer[];
}

/** A pixel of each stripe by colour type; half transparent with alpha. */
const pixels: Record<number, [number[], number[]]> = {
  0: [[0x60], [0xa0]],
  2: [
    [0xd9, 0x5f, 0x02],
    [0x1d, 0x4e, 0xd8],
  ],
  3: [[0], [1]],
  4: [
    [0x60, 0xff],
    [0xa0, 0x80],
  ],
  6: [
    [0xd9, 0x5f, 0x02, 0xff],
    [0x1d, 0x4e, 0xd8, 0x80],
  ],
};

/** A PNG of orange and blue stripes. */
export function png(options: Png = {}): Buffer {
  const { width = 64, height = 32, rows = height, padding = 0, colour = 2, depth = 8 } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, 0], 8);
  const line = (y: number) => {
    const pixel = pixels[colour]?.[Math.floor(y / 8) % 2] ?? [];
    const bits = Array.from({ length: width }, () =>
      pixel.map((sample) =>
        (colour === 3 ? sample : sample >> (8 - Math.min(depth, 8))).toString(2).padStart(depth, "0"),
      ),
    );
    const bytes =
      bits
        .flat()
        .join("")
        .match(/.{1,8}/g) ?? [];
    return Buffer.from([0, ...bytes.map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2))]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(padding > 0 ? [chunk("tEXt", Buffer.alloc(padding, 0x20))] : []),
    ...(colour === 3 ? [chunk("PLTE", Buffer.from([0xd9, 0x5f, 0x02, 0x1d, 0x4e, 0xd8]))] : []),
    ...(options.more ?? []),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: rows }, (_, y) => line(y))))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

interface Jpeg {
  /** 1: greyscale; 3: YCbCr; 4: CMYK. */
  parts?: 1 | 3 | 4;
  progressive?: boolean;
  /** EXIF metadata. */
  exif?: string;
}

/** The same stripes in YCbCr, by the 8 by 8 pixel blocks of T.81. */
const stripes = [
  [121, 61, 196],
  [90, 209, 84],
] as const;

function segment(marker: number, data: number[] | Buffer): Buffer {
  const body = Buffer.from(data);
  const framed = Buffer.alloc(4);
  framed.writeUInt16BE(0xff00 | marker, 0);
  framed.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([framed, body]);
}

/** A valid JPEG with one colour per block: only DC coefficients. */
export function jpeg(width = 64, height = 32, { parts = 3, progressive = false, exif }: Jpeg = {}): Buffer {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  const frame = Buffer.from([8, 0, 0, 0, 0, parts, ...numbers.flatMap((id) => [id, 0x11, 0])]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  let bits = "";
  const before = numbers.map(() => 0);
  for (let y = 0; y < Math.ceil(height / 8); y++)
    for (let x = 0; x < Math.ceil(width / 8); x++)
      for (const index of numbers.keys()) {
        const mean = (stripes[y % 2]?.[index] ?? 128) - 128;
        const change = mean - (before[index] ?? 0);
        before[index] = mean;
        const length = change === 0 ? 0 : Math.abs(change).toString(2).length;
        bits += length.toString(2).padStart(4, "0"); // canonical four-bit codes, by length
        if (length > 0) bits += (change > 0 ? change : change + 2 ** length - 1).toString(2).padStart(length, "0");
        if (!progressive) bits += "0"; // no AC coefficients
      }
  const coded = (bits.match(/.{1,8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, "1"), 2);
    return value === 0xff ? [0xff, 0] : [value];
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(exif === undefined ? [] : [segment(0xe1, Buffer.from(`Exif\0\0${exif}`, "latin1"))]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    segment(progressive ? 0xc2 : 0xc0, frame),
    segment(0xc4, [
      0x00,
      0,
      0,
      0,
      12,
      ...Array.from({ length: 12 }, () => 0),
      ...Array.from({ length: 12 }, (_, n) => n),
    ]),
    segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    segment(0xda, [parts, ...numbers.flatMap((id) => [id, 0x00]), 0, progressive ? 0 : 63, 0]),
    Buffer.from(coded),
    Buffer.from([0xff, 0xd9]),
  ]);
}
