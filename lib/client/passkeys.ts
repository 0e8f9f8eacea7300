type Options = { challenge: string };

/** Whether this browser can use passkeys at this address: it needs https, or localhost. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";

/** The browser's own dialog was closed, took too long, or has no passkey to offer. */
export class PasskeyRefused extends Error {
  /** @param exists whether the device already has a passkey of this person */
  constructor(readonly exists: boolean) {
    super("No passkey was used.");
    this.name = "PasskeyRefused";
  }
}

/** Asks the device for a new passkey. @throws PasskeyRefused */
export const createPasskey = (options: Options): Promise<unknown> =>
  jsonOf(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

/** Asks the device to sign with a passkey. @throws PasskeyRefused */
export const askForPasskey = (options: Options): Promise<unknown> =>
  jsonOf(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));

async function jsonOf(ask: () => Promise<Credential | null>): Promise<unknown> {
  const credential = await ask().catch((error: unknown) => {
    throw new PasskeyRefused(error instanceof DOMException && error.name === "InvalidStateError");
  });
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused(false);
  return credential.toJSON();
}
