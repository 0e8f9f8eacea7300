import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
import { askForPasskey, PasskeyRefused } from "@/lib/client/passkeys";
import { passkeyEndpoints } from "@/lib/resources/account/passkeys-contract";
import { attemptSignIn } from "./attempt-sign-in";

/**
 * Signs in with a passkey of this device.
 * @param ticket of a sign-in with the password, for the second step
 * @returns null once signed in, else an error code: "PasskeyRefused", or as attemptSignIn
 */
export async function signInWithPasskey(ticket?: string): Promise<string | null> {
  try {
    const { options } = await call(passkeyEndpoints.beginSignIn, { body: { ticket }, anyBusiness: true });
    const passkey = JSON.stringify(await askForPasskey(options));
    return await attemptSignIn({ passkey, ...(ticket && { ticket }) });
  } catch (error) {
    if (error instanceof PasskeyRefused) return "PasskeyRefused";
    if (error instanceof ApiFailure) return "Unavailable";
    throw error;
  }
}
