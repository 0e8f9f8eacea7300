import type { Locator } from "@playwright/test";
import { Secret, TOTP } from "otpauth";

/** A current code of the shown secret. */
export async function makeTestCode(form: Locator): Promise<string> {
  const secret = await form.locator("[data-secret]").innerText();
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}
