import { hash, verify } from "@node-rs/argon2";

// The library's default is argon2id. OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane; about 20 ms.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes with argon2id, in PHC format: the salt and the parameters are included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/**
 * Hashes with a given salt, so that equal texts have equal hashes: a person's recovery codes share one, and a code is then
 * compared with all of them after one hash.
 */
export function hashWithSalt(text: string, salt: Uint8Array): Promise<string> {
  return hash(text, { ...parameters, salt });
}

/** The salt of a hash in PHC format; null for another format. */
export function saltOf(phc: string): Uint8Array | null {
  const [, algorithm, , , salt] = phc.split("$");
  return algorithm === "argon2id" && salt ? Buffer.from(salt, "base64") : null;
}

/** Takes the same time for a right and a wrong password. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
