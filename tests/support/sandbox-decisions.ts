import { db } from "@/lib/core/db";

/**
 * Lets the sandbox decide within a second what the test cards of a business decide after ten, and report it then.
 * tests/api/gateway-sandbox.test.ts has the ten seconds.
 */
export async function hastenDecisions(businessId: number): Promise<void> {
  const account = String(businessId);
  await db.$transaction([
    db.$executeRaw`
      UPDATE sandbox_charge SET settles_at = settles_at - interval '9 seconds'
       WHERE account = ${account} AND status = 'processing' AND settles_at > now()`,
    db.$executeRaw`
      UPDATE sandbox_refund r SET settles_at = r.settles_at - interval '9 seconds'
        FROM sandbox_charge c WHERE c.ref = r.charge_ref AND c.account = ${account} AND r.settles_at > now()`,
    db.$executeRaw`
      UPDATE sandbox_callback SET due_at = due_at - interval '9 seconds'
       WHERE account = ${account} AND due_at > now() AND tries = 0`,
  ]);
}
