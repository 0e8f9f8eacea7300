import { hash, verify } from "@node-rs/argon2";

// The library's default is argon2id. OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane; about 20 ms.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes with argon2id, in PHC format: the salt and the parameters are included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/** Takes the same time for a right and a wrong password. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
