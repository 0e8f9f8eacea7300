-- What the gateway books is in the currency of its balance, such as rupiah: more than 21 million units exceed an integer. Rewrites these tables,
-- which are small: few payments are disputed, and a job empties settled_change. In the order in which writers lock them.

-- AlterTable
ALTER TABLE "dispute" ALTER COLUMN "withdrawn_cents" SET DATA TYPE BIGINT,
ALTER COLUMN "returned_cents" SET DATA TYPE BIGINT,
ALTER COLUMN "fee_cents" SET DATA TYPE BIGINT;

-- By hand, because PostgreSQL does not change the type of a column that a trigger's condition reads.
DROP TRIGGER count_dispute_fee ON dispute_movement;

-- AlterTable
ALTER TABLE "dispute_movement" ALTER COLUMN "amount_cents" SET DATA TYPE BIGINT,
ALTER COLUMN "fee_cents" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "settled_change" ALTER COLUMN "cents" SET DATA TYPE BIGINT;

CREATE TRIGGER count_dispute_fee AFTER INSERT ON dispute_movement FOR EACH ROW
  WHEN (NEW.fee_cents <> 0) EXECUTE FUNCTION count_dispute_fee();
