import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { decrypt, isEncrypted } from "./age";
import { checksumLine } from "./archive";
import { entryNames, type Manifest, manifestSchema, type Totals, totalsSchema } from "./manifest";
import { readTar, type TarEntry } from "./tar";

/** A part is somewhat larger than `partBytes`: it ends with a whole row. */
const maxEntryBytes = 512 << 20;
const readBytes = 1 << 20;

export interface Archive {
  manifest: Manifest;
  totals: Totals;
  /** APP_SECRET, if it is in the archive. */
  secret: string | null;
  /** Reads and checks the whole file again. */
  entries(): AsyncIterable<TarEntry>;
}

/**
 * Reads a backup to its end, and checks every byte. Writes nothing.
 * @param passphrase of an encrypted one
 * @throws Error that says why the file cannot be restored
 */
export async function openArchive(file: string, passphrase: string | null): Promise<Archive> {
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder. Name a backup in it.`);
  if ((await isEncryptedFile(file)) && passphrase === null)
    throw new Error(`${file} is encrypted. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.`);
  const entries = () => checkedEntries(file, passphrase);
  const found = new Map<string, Buffer>();
  let first: string | undefined;
  for await (const { name, content } of entries()) {
    first ??= name;
    if (Object.values(entryNames).includes(name)) found.set(name, content);
  }
  if (first !== entryNames.manifest) throw new Error(`${file} is not a backup of Paydesk.`);
  const read = (name: string): unknown => JSON.parse(found.get(name)?.toString("utf8") ?? "null");
  const manifest = manifestSchema.safeParse(read(entryNames.manifest));
  const totals = totalsSchema.safeParse(read(entryNames.totals));
  if (!manifest.success || !totals.success)
    throw new Error(`${file} was written by another version of Paydesk, in a format that this one cannot read.`);
  const secret = found.get(entryNames.secret)?.toString("utf8") ?? null;
  return { manifest: manifest.data, totals: totals.data, secret, entries };
}

async function isEncryptedFile(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return isEncrypted(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The entries of a file. Throws at the end, at the latest, if one of them was changed, added or removed. */
async function* checkedEntries(file: string, passphrase: string | null): AsyncGenerator<TarEntry> {
  try {
    const bytes: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: readBytes });
    const plain = (await isEncryptedFile(file)) ? decrypt(bytes, passphrase ?? "") : bytes;
    const sums: string[] = [];
    let isComplete = false;
    for await (const entry of readTar(plain, maxEntryBytes)) {
      if (isComplete) throw new Error("an entry follows the checksums");
      if (entry.name === entryNames.checksums) {
        if (entry.content.toString("utf8") !== sums.join("")) throw new Error("a checksum differs");
        isComplete = true;
      } else sums.push(checksumLine(entry));
      yield entry;
    }
    if (!isComplete) throw new Error("its checksums are missing");
  } catch (error) {
    throw new Error(`${file} cannot be restored: ${(error as Error).message}`, { cause: error });
  }
}
