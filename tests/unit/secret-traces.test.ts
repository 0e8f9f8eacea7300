import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { SecretTraces } from "@/tests/faults/secret-traces";

const secrets = new Map([
  ["token", randomBytes(32).toString("base64url")],
  ["password", 'Pä"&/+ six quiet rivers'],
]);
const traces = new SecretTraces(secrets);

it.each([...secrets])("finds a %s in every spelling, wherever it is", (name, secret) => {
  const base64 = [0, 1, 2].map((before) => Buffer.from(`${"x".repeat(before)}${secret}, and more`).toString("base64"));
  const hex = Buffer.from(secret).toString("hex");
  for (const text of [
    ...[secret, JSON.stringify(secret), encodeURIComponent(secret), String(new URLSearchParams({ secret }))],
    ...[...base64, hex, hex.toUpperCase(), secret.toLowerCase()],
  ]) {
    expect(traces.in(Buffer.from(text)), text).toEqual([name]);
    expect(traces.in(Buffer.from(`${randomBytes(50).toString("latin1")}${text}`)), text).toEqual([name]);
  }
  expect(traces.in(Buffer.from(secret, "utf16le"))).toEqual([name]);
});

it("finds the bytes that a token encodes", () => {
  const bytes = Buffer.from(secrets.get("token") ?? "", "base64url");
  expect(traces.in(bytes)).toEqual(["token"]);
  expect(traces.in(Buffer.from(bytes.toString("hex")))).toEqual(["token"]);
});

it("finds nothing in other bytes, nor in half a secret", () => {
  expect(traces.in(randomBytes(1_000_000))).toEqual([]);
  for (const secret of secrets.values()) expect(traces.in(Buffer.from(secret.slice(0, secret.length / 2)))).toEqual([]);
});
