import { createTranslator } from "use-intl/core";
import { expect, test } from "vitest";
import { signInMessage } from "@/components/auth/sign-in-message";
import { networkOf } from "@/lib/core/network";
import en from "@/messages/en";

const t = createTranslator({ locale: "en-GB", messages: en, namespace: "auth.refusal" });

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("the client at %s is counted as %s", (address, expected) => expect(networkOf(address)).toBe(expected));

test("each refusal is one plain sentence", () => {
  expect(signInMessage(t, "CredentialsSignin")).toBe("Wrong e-mail or password.");
  expect(signInMessage(t, "Unavailable")).toBe("Sign-in is unavailable right now. Try again in a minute.");
  expect(signInMessage(t, "<script>")).toBe(signInMessage(t, "Unavailable"));
});

test("a limit says when it ends, rounded up to the minute", () => {
  const now = new Date("2026-11-21T10:00:30Z");
  const code = (at: string) => `TooManyAttempts.${Date.parse(at)}`;
  expect(signInMessage(t, code("2026-11-21T10:07:01Z"), now, "UTC")).toBe(
    "Too many attempts. Try again at 10:08, in 7 minutes.",
  );
  expect(signInMessage(t, code("2026-11-21T10:00:40Z"), now, "UTC")).toBe(
    "Too many attempts. Try again at 10:01, in 1 minute.",
  );
});
