import { db } from "@/lib/core/db";
import { asOwner } from "@/tests/support/postgres";

const far = "clock_timestamp() + interval '1 day'";

/** A trigger that writes `far` to a column. `of`: also at updates of the column. */
const postpone = (table: string, column: string, of = false): string[] => [
  `CREATE FUNCTION far_${table}() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.${column} IS NOT NULL OR ${of} THEN NEW.${column} := ${far}; END IF; RETURN NEW; END $$`,
  `CREATE TRIGGER stage BEFORE INSERT ${of ? `OR UPDATE OF ${column}` : ""} ON ${table} FOR EACH ROW EXECUTE FUNCTION far_${table}()`,
];

/**
 * Nothing happens by itself, so that a model can say what comes next: triggers drop the sandbox's own callbacks, postpone its
 * decisions, and tell the jobs that every payment, refund, dispute and account was just looked up.
 */
export async function onlyTheTestActs(): Promise<void> {
  await asOwner(
    `CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
    `CREATE TRIGGER stage BEFORE INSERT ON sandbox_callback FOR EACH ROW EXECUTE FUNCTION drop_row()`,
    ...["sandbox_charge", "sandbox_refund"].flatMap((table) => postpone(table, "settles_at")),
    ...postpone("sandbox_dispute", "decided_at"),
    ...["payment", "refund", "dispute"].flatMap((table) => postpone(table, "asked_at", true)),
    ...postpone("balance_import", "next_at", true),
    `CREATE FUNCTION list_tomorrow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO dispute_listing VALUES (NEW.id::text, ${far}); RETURN NULL; END $$`,
    ...["business", "gateway_account"].map(
      (table) => `CREATE TRIGGER stage AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION list_tomorrow()`,
    ),
  );
}

/** Makes a payment or refund so old that a request for it is no longer in flight. */
export async function age(table: "payment" | "refund", id: string): Promise<void> {
  await db.$executeRawUnsafe(`UPDATE ${table} SET started_at = now() - interval '2 minutes' WHERE id = $1`, id);
}

/** Makes payments and refunds so young that a request for them may be in flight. */
export async function makeYoung(paymentIds: string[], refundIds: string[]): Promise<void> {
  for (const [table, ids] of Object.entries({ payment: paymentIds, refund: refundIds }))
    if (ids.length > 0) await db.$executeRawUnsafe(`UPDATE ${table} SET started_at = now() WHERE id = ANY($1)`, ids);
}
