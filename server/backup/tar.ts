import { ByteReader } from "./byte-reader";

/** A file of an archive. */
export interface TarEntry {
  name: string;
  content: Buffer;
}

const blockBytes = 512;
const maxNameBytes = 100;

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** A file's header (POSIX ustar): a regular file that only its owner reads. */
function tarHeader(name: string, size: number, modified: number): Buffer {
  if (Buffer.byteLength(name) > maxNameBytes) throw new Error(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(`${octal(0o600, 7)}${octal(0, 7)}${octal(0, 7)}${octal(size, 11)}${octal(modified, 11)}        0`, 100);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

const padding = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

/** @param modified seconds since 1970 */
export const tarEntry = ({ name, content }: TarEntry, modified: number): Buffer =>
  Buffer.concat([tarHeader(name, content.length, modified), content, padding(content.length)]);

/**
 * Reads an archive that `tarEntry` wrote. Refuses each byte that `tarEntry` would not have written outside the contents, so
 * that a damaged archive never looks like a complete one.
 * @param maxBytes the largest content
 */
export async function* readTar(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.take(blockBytes);
    if (header.equals(tarEnd.subarray(0, blockBytes))) break;
    const text = (from: number, to: number) => header.toString("utf8", from, to).replace(/\0.*$/s, "");
    const [name, size, modified] = [text(0, maxNameBytes), parseInt(text(124, 136), 8), parseInt(text(136, 148), 8)];
    if (!(size >= 0 && size <= maxBytes) || !(modified >= 0) || !header.equals(tarHeader(name, size, modified)))
      throw new Error("an entry's header is damaged");
    const content = await bytes.take(size);
    const filler = padding(size);
    if (!(await bytes.take(filler.length)).equals(filler)) throw new Error("the space between entries is not empty");
    yield { name, content };
  }
  if (!(await bytes.take(blockBytes)).equals(tarEnd.subarray(blockBytes)) || !(await bytes.isAtEnd()))
    throw new Error("something follows the archive's end");
}
