import { crc32, deflateSync } from "node:zlib";

function chunk(name: string, data: Buffer): Buffer {
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
  /** What its pixels unpack to, if it is not what the header says. */
  rows?: number;
  interlaced?: boolean;
  /** Makes the file larger by so many bytes. */
  padding?: number;
}

/** A PNG of orange and blue stripes. */
export function png({ width = 64, height = 32, rows = height, interlaced = false, padding = 0 }: Png = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, interlaced ? 1 : 0], 8);
  const line = (y: number) => {
    const colour = Math.floor(y / 8) % 2 === 0 ? [0xd9, 0x5f, 0x02] : [0x1d, 0x4e, 0xd8];
    return Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  };
  const pixels = Buffer.concat(Array.from({ length: rows }, (_, y) => line(y)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(padding > 0 ? [chunk("tEXt", Buffer.alloc(padding, 0x20))] : []),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The smallest baseline JPEG that names a size: markers alone, which is what tells it. */
export function jpeg(width = 64, height = 32): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xda, 0, 2, 0, 0xff, 0xd9])]);
}
