import type { Language } from "@/components/reference/samples";

/** Checks of a delivery's signature, without a package. */
export const signatureTexts: Record<Language, string> = {
  curl: `# Checks one delivery by hand. $body is the raw body, the other three are headers.
key=$(printf %s "\${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$(printf '%s.%s.%s' "$id" "$timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $signature " in
  *" v1,$expected "*) echo "signed by Paydesk" ;;
  *) echo "not signed by Paydesk"; exit 1 ;;
esac`,
  typescript: `import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether Paydesk sent the request in the last five minutes. body: the raw body, before it is parsed. */
export function isSigned(secret: string, headers: Record<string, string>, body: string): boolean {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  python: `import base64
import hashlib
import hmac
import time


def is_signed(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Whether Paydesk sent the request in the last five minutes. body: the raw body."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split())`,
  php: `<?php
/** Whether Paydesk sent the request in the last five minutes. $body: the raw body. */
function isSigned(string $secret, array $headers, string $body): bool
{
    ['webhook-id' => $id, 'webhook-timestamp' => $timestamp] = $headers;
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}`,
};
