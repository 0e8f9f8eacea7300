import { settlementsSql } from "@/lib/ledger/sums";

interface Connection {
  query(sql: string): Promise<unknown>;
}

/** Makes the overview's sums of a business again, after a test has written payments or refunds itself. */
export async function recountSums(connection: Connection, businessId: number): Promise<void> {
  await connection.query(`
    LOCK TABLE settled_change, settled_sum IN ACCESS EXCLUSIVE MODE;
    DELETE FROM settled_change WHERE business_id = ${businessId};
    DELETE FROM settled_sum WHERE business_id = ${businessId};
    INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
    SELECT business_id, livemode, settled_at, cents, count, currency, kind
      FROM (${settlementsSql}) AS settlement WHERE business_id = ${businessId}`);
}
