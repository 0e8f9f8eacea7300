import { createHmac } from "node:crypto";
import { acting } from "@/lib/core/acting";
import { db } from "@/lib/core/db";
import { required } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { auditPerson } from "./audit";

export type Refusal =
  | "unknown_account"
  | "wrong_password"
  | "wrong_code"
  | "wrong_passkey"
  | "expired_ticket"
  | "too_many_attempts"
  | "no_business"
  | "password_changed";

const audited = { wrong_password: "session.password_refused", wrong_code: "session.code_refused" } as const;

interface Refused {
  reason: Refusal;
  address: string;
  /** As typed, in lower case. */
  account?: string;
  /** The account's owner, if there is one. */
  user?: { id: string; email: string };
}

/**
 * Records a refused sign-in: a line in the log, and an audit entry in each business of the person for a wrong password or
 * code. The log has the typed e-mail only as a keyed hash, because people type passwords into that field.
 */
export async function recordRefusal({ reason, address, account = "", user }: Refused): Promise<void> {
  const accountHash = createHmac("sha256", required("APP_SECRET")).update(`account ${account}`).digest("hex");
  log.warn({ reason, address, account: accountHash.slice(0, 16), user: user?.id }, "sign-in refused");
  if (!user || !(reason in audited)) return;
  const who = { ...acting(), type: "user", id: user.id, address } as const;
  const action = audited[reason as keyof typeof audited];
  await auditPerson(db, user.id, { action, about: user.email, who });
}
