-- AlterTable
ALTER TABLE "customer" ADD COLUMN     "changed_at" TIMESTAMPTZ(6),
ADD COLUMN     "changed_to" TEXT,
ADD COLUMN     "moved_to_at" TIMESTAMPTZ(6),
ADD COLUMN     "moved_to_id" TEXT;

-- By hand. Not validated: no row has these columns yet.
ALTER TABLE customer
  ADD CONSTRAINT customer_changed CHECK (num_nulls(changed_to, changed_at) <> 1 AND changed_to <> email) NOT VALID,
  ADD CONSTRAINT customer_moving CHECK (num_nulls(moved_to_at, moved_to_id) <> 1 AND (moved_to_at IS NULL OR changed_to IS NOT NULL)) NOT VALID;

-- Both are empty: making them reads the table once, some seconds for 10,000,000 customers.
CREATE INDEX customer_former ON customer (business_id, livemode, changed_to, changed_at) WHERE changed_to IS NOT NULL;
CREATE INDEX customer_moving ON customer (changed_at) WHERE moved_to_at IS NOT NULL;
