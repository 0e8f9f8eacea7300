/** Base64 of bytes at any offset: the part that does not depend on its neighbours. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const whole = encoded.replace(/=+$/, "");
    return whole.slice([0, 2, 3][before], encoded.endsWith("=") ? -1 : undefined);
  });
}

/** Every usual spelling of a secret, and of the bytes that it encodes. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = /^[\w-]{32,}$/.test(secret) ? Buffer.from(secret, "base64url") : null;
  const all = [bytes, ...(encoded ? [encoded] : [])].flatMap((form) => {
    const base64 = inBase64(form);
    const hex = form.toString("hex");
    const url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
    return [form.toString("latin1"), ...base64, ...url, hex, hex.toUpperCase()];
  });
  const escaped = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const written = [escaped, encodeURIComponent(secret), form, secret.toLowerCase(), secret.toUpperCase()];
  const wide = Buffer.from(secret, "utf16le").toString("latin1");
  return [...all, ...written.map((text) => Buffer.from(text).toString("latin1")), wide];
}

/** Finds secrets in stored bytes, in every spelling. */
export class SecretTraces {
  /** By their first three bytes, for one pass over the bytes. */
  readonly #needles = new Map<number, { needle: Buffer; name: string }[]>();
  readonly #begins = new Uint8Array(1 << 24);

  /** @param secrets by name, each of at least 12 bytes */
  constructor(secrets: ReadonlyMap<string, string>) {
    for (const [name, secret] of secrets) {
      if (secret.length < 12) throw new Error(`too short to be searched for: ${name}`);
      for (const spelling of new Set(spellings(secret))) {
        const needle = Buffer.from(spelling, "latin1");
        const begin = ((needle[0] ?? 0) << 16) | ((needle[1] ?? 0) << 8) | (needle[2] ?? 0);
        this.#begins[begin] = 1;
        this.#needles.set(begin, [...(this.#needles.get(begin) ?? []), { needle, name }]);
      }
    }
  }

  /** The names of the secrets in these bytes. */
  in(bytes: Buffer): string[] {
    const found = new Set<string>();
    let begin = 0;
    for (let at = 0; at < bytes.length; at++) {
      begin = ((begin << 8) | (bytes[at] ?? 0)) & 0xffffff;
      if (at < 2 || this.#begins[begin] === 0) continue;
      for (const { needle, name } of this.#needles.get(begin) ?? [])
        if (bytes.subarray(at - 2, at - 2 + needle.length).equals(needle)) found.add(name);
    }
    return [...found];
  }
}
