import { hash, verify } from "@node-rs/argon2";

// The library's default algorithm is argon2id. OWASP's parameters for it (Password Storage Cheat Sheet): 19 MiB, two passes, one lane; some 20 ms here.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash to keep of a password: argon2id in PHC format, salt and parameters included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/** Whether a password is the one that was hashed. Costs the same whether it is or not. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
