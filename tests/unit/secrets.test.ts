import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The module as a process with this APP_SECRET has it. */
async function under(secret: string, previous = "") {
  vi.resetModules();
  vi.stubEnv("APP_SECRET", secret);
  vi.stubEnv("APP_SECRET_PREVIOUS", previous);
  return import("@/lib/core/secrets");
}

const secret = "a".repeat(32);
const closed = "A stored secret cannot be decrypted. Was APP_SECRET changed?";

describe("an encrypted secret", () => {
  let seal: (plain: string, context: string) => string;
  let unseal: (sealed: string, context: string) => string;
  beforeEach(async () => {
    ({ seal, unseal } = await under(secret));
  });
  afterEach(() => vi.unstubAllEnvs());

  it("decrypts with its context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, context) => {
        expect(unseal(seal(plain, context), context)).toBe(plain);
      }),
    );
  });

  it("differs every time, and shows nothing of its content", () => {
    const plain = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
    const sealed = Array.from({ length: 100 }, () => seal(plain, "row 1"));
    expect(new Set(sealed).size).toBe(100);
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[\w-]+$/);
      expect(Buffer.from(text.slice(3), "base64url").toString("latin1")).not.toContain("sk_live");
    }
  });

  it("does not decrypt with another context", () => {
    expect(() => unseal(seal("secret", "row 1"), "row 2")).toThrow(closed);
  });

  it("does not decrypt with another APP_SECRET", async () => {
    const sealed = seal("secret", "row 1");
    const other = await under("b".repeat(32));
    expect(() => other.unseal(sealed, "row 1")).toThrow(closed);
  });

  it("decrypts with the previous APP_SECRET too, and is then encrypted with the new one", async () => {
    const sealed = seal("secret", "row 1");
    const rotated = await under("b".repeat(32), secret);
    expect(rotated.unseal(sealed, "row 1")).toBe("secret");
    const renewed = rotated.reseal(sealed, "row 1") ?? "";
    expect(rotated.reseal(renewed, "row 1")).toBeNull();
    const later = await under("b".repeat(32));
    expect(later.unseal(renewed, "row 1")).toBe("secret");
    expect(() => later.reseal(sealed, "row 1")).toThrow(closed);
  });

  it("does not decrypt when a single bit is changed", () => {
    const sealed = Buffer.from(seal("secret", "row 1").slice(3), "base64url");
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => unseal(`v1.${changed.toString("base64url")}`, "row 1")).toThrow(closed);
    }
  });

  it.each(["", "v1.", "v1.AAAA", "v2.AAAA", "secret"])("does not decrypt malformed text (%s)", (text) => {
    expect(() => unseal(text, "row 1")).toThrow(closed);
  });

  it("needs APP_SECRET, and says so", async () => {
    const without = await under("");
    expect(() => without.seal("secret", "row 1")).toThrow("APP_SECRET is missing");
    expect(() => without.unseal("v1.AAAA", "row 1")).toThrow("APP_SECRET is missing");
  });
});
