import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decrypt, encrypt } from "@/server/backup/age";
import { archiveOf } from "@/server/backup/archive";
import { entryNames, partName, tableOfPart } from "@/server/backup/manifest";
import { openArchive } from "@/server/backup/read";
import { readTar, type TarEntry } from "@/server/backup/tar";

const folder = mkdtempSync(join(tmpdir(), "paydesk-archive-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function* of<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

async function all(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

const passphrase = "correct horse battery staple";

/** Cuts bytes into pieces of odd sizes, as a socket would. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0, size = 1; from < bytes.length; from += size, size = (size * 7) % 5_003)
    yield bytes.subarray(from, from + size);
}

describe("encryption", () => {
  // Chunks have 64 kB: sizes around their ends.
  it.each([0, 65_536, 65_537, 200_000])("returns %i bytes as they were", async (size) => {
    const plain = randomBytes(size);
    const sealed = await all(encrypt(inPieces(plain), passphrase));
    expect(await all(decrypt(inPieces(sealed), passphrase))).toEqual(plain);
  });

  it("refuses another passphrase, a missing end, a missing chunk and a changed byte", async () => {
    const sealed = await all(encrypt(of(randomBytes(150_000)), passphrase));
    const opened = (bytes: Buffer, by = passphrase) => all(decrypt(of(bytes), by));
    await expect(opened(sealed, `${passphrase}.`)).rejects.toThrow("The passphrase is wrong");
    await expect(opened(sealed.subarray(0, -1))).rejects.toThrow("its end is missing");
    const payload = sealed.length - 150_000 - 3 * 16;
    const chunk = 65_536 + 16;
    await expect(opened(sealed.subarray(0, payload + chunk))).rejects.toThrow("its end is missing");
    await expect(opened(Buffer.concat([sealed, sealed.subarray(-16)]))).rejects.toThrow();
    const without = Buffer.concat([sealed.subarray(0, payload), sealed.subarray(payload + chunk)]);
    await expect(opened(without)).rejects.toThrow("a part was changed");
    for (const at of [payload, payload + chunk + 5, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(opened(changed)).rejects.toThrow("a part was changed");
    }
  });

  it("opens a file of the reference implementation", async () => {
    const sealed = Buffer.from(readFileSync("tests/support/age-reference.txt", "utf8"), "base64");
    expect((await all(decrypt(of(sealed), "correct horse battery staple"))).toString()).toBe("Written by age.\n");
  });
});

const totals = { rows: { business: 2 }, sequences: [{ name: "business_id_seq", value: "2" }] };
const manifest = {
  ...{ format: 1, created_at: "2026-11-26T18:00:00.000Z", paydesk: "0.1.0", postgres: "18.4", secret: "00" },
  ...{ settings: ["APP_URL"], migrations: [], tables: [{ name: "business", columns: ["id"] }], partitions: [] },
};
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const entries: TarEntry[] = [
  { name: entryNames.manifest, content: json(manifest) },
  { name: partName("business", 1), content: randomBytes(700) },
  { name: entryNames.totals, content: json(totals) },
];

const write = (bytes: Buffer): string => {
  const file = join(folder, `${randomBytes(6).toString("hex")}.tar`);
  writeFileSync(file, bytes);
  return file;
};

describe("archive", () => {
  it("is opened by tar, and checked by sha256sum", async () => {
    const file = write(await all(archiveOf(of(...entries), manifest.created_at)));
    const out = mkdtempSync(join(folder, "out-"));
    execFileSync("tar", ["-xf", file, "-C", out]);
    expect(readdirSync(out).sort()).toEqual(["SHA256SUMS", "data", "manifest.json", "totals.json"]);
    const checked = execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: out, encoding: "utf8" });
    expect(checked.trim().split("\n")).toEqual(entries.map(({ name }) => `${name}: OK`));
  });

  it("is read as it was written", async () => {
    const read: TarEntry[] = [];
    for await (const entry of readTar(inPieces(await all(archiveOf(of(...entries), manifest.created_at))), 10_000))
      read.push(entry);
    expect(read.slice(0, -1)).toEqual(entries);
    expect(tableOfPart(read[1]?.name ?? "")).toBe("business");
    expect(tableOfPart(entryNames.manifest)).toBeNull();
  });

  it("is refused with any bit changed, and at any shorter length", async () => {
    const whole = await all(archiveOf(of(...entries), manifest.created_at));
    await expect(openArchive(write(whole), null)).resolves.toMatchObject({ manifest, totals, secret: null });
    const accepted: string[] = [];
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const file = write(changed);
      if (await openArchive(file, null).catch(() => null)) accepted.push(`bit ${at % 8} of byte ${at}`);
      rmSync(file);
    }
    for (let length = 0; length < whole.length; length += 97) {
      const file = write(whole.subarray(0, length));
      if (await openArchive(file, null).catch(() => null)) accepted.push(`length ${length}`);
      rmSync(file);
    }
    expect(accepted).toEqual([]);
  });
});
