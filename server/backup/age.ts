import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scryptSync } from "node:crypto";
import { ByteReader } from "./byte-reader";

/**
 * Encryption with a passphrase in the format of age (https://c2sp.org/age), so that the tool `age` opens a backup without
 * Paydesk. Each chunk is authenticated with its position, and the last one is marked, so that a changed, moved or
 * missing byte is found.
 */

const intro = "age-encryption.org/v1";
/** scrypt's cost as a power of two: 128 MB of memory, and a third of a second for each guess. */
const workFactor = 17;
/** The highest cost that is computed for a file: 512 MB of memory. */
const maxWorkFactor = 19;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const maxLineBytes = 200;

const wrongPassphrase = "The passphrase is wrong, or the file's header is damaged.";

/** Base64 without padding. */
const encode = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

function decode(text: string, length: number): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== length || encode(bytes) !== text) throw new Error("its header is damaged");
  return bytes;
}

function wrappingKey(passphrase: string, salt: Buffer, factor: number): Buffer {
  const salted = Buffer.concat([Buffer.from(`${intro}/scrypt`), salt]);
  return scryptSync(passphrase, salted, 32, { N: 2 ** factor, r: 8, p: 1, maxmem: 1024 * 2 ** factor + (1 << 20) });
}

const derive = (fileKey: Buffer, salt: Buffer | string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", fileKey, salt, use, 32));

const macOf = (fileKey: Buffer, header: string): string =>
  encode(
    createHmac("sha256", derive(fileKey, "", "header"))
      .update(header)
      .digest(),
  );

function encryptChunk(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: tagBytes });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when the key or a byte is wrong */
function decryptChunk(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - tagBytes;
  if (end < 0) throw new Error("it ends too early");
  const decipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}

function chunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts a stream. */
export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const [fileKey, salt, payloadSalt] = [randomBytes(16), randomBytes(16), randomBytes(16)];
  const wrapped = encryptChunk(wrappingKey(passphrase, salt, workFactor), Buffer.alloc(12), fileKey);
  const header = `${intro}\n-> scrypt ${encode(salt)} ${workFactor}\n${encode(wrapped)}\n---`;
  yield Buffer.concat([Buffer.from(`${header} ${macOf(fileKey, header)}\n`), payloadSalt]);
  const key = derive(fileKey, payloadSalt, "payload");
  const bytes = new ByteReader(source);
  for (let index = 0, isLast = false; !isLast; index++) {
    const chunk = await bytes.takeUpTo(chunkBytes);
    isLast = await bytes.isAtEnd();
    yield encryptChunk(key, chunkNonce(index, isLast), chunk);
  }
}

export const isEncrypted = (start: Buffer): boolean => start.subarray(0, intro.length).equals(Buffer.from(intro));

/** Decrypts a stream of `encrypt`, or of `age --passphrase`. @throws Error when the passphrase or a byte is wrong */
export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(source);
  const fileKey = await openHeader(bytes, passphrase);
  const key = derive(fileKey, await bytes.take(16), "payload");
  for (let index = 0, isLast = false; !isLast; index++) {
    const sealed = await bytes.takeUpTo(chunkBytes + tagBytes);
    isLast = await bytes.isAtEnd();
    let plain: Buffer;
    try {
      plain = decryptChunk(key, chunkNonce(index, isLast), sealed);
    } catch {
      throw new Error("a part was changed, or its end is missing");
    }
    yield plain;
  }
}

/** @returns the key of the file's content */
async function openHeader(bytes: ByteReader, passphrase: string): Promise<Buffer> {
  const lines: string[] = [];
  for (let i = 0; i < 4; i++) lines.push(await bytes.takeLine(maxLineBytes));
  const [version, stanza = "", body = "", mac = ""] = lines;
  const [, salt = "", factor = ""] = /^-> scrypt (\S+) (\d{1,2})$/.exec(stanza) ?? [];
  if (version !== intro || !factor || !mac.startsWith("--- ")) throw new Error("its header is damaged");
  if (Number(factor) > maxWorkFactor) throw new Error(`scrypt's work factor ${factor} is above ${maxWorkFactor}`);
  let fileKey: Buffer;
  try {
    const key = wrappingKey(passphrase, decode(salt, 16), Number(factor));
    fileKey = decryptChunk(key, Buffer.alloc(12), decode(body, 32));
  } catch {
    throw new Error(wrongPassphrase);
  }
  const header = `${lines.slice(0, 3).join("\n")}\n---`;
  if (mac !== `--- ${macOf(fileKey, header)}`) throw new Error(wrongPassphrase);
  return fileKey;
}
