-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "dispute" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "package" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- AlterTable
ALTER TABLE "tokenization" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
ADD COLUMN     "notes" TEXT;

-- By hand, to the end. A row's keys and values as numbers, each made with its scope: the tenant and the day (search_scope), so that a list
-- reads the entries of one day of one tenant. Two texts can have the same number: the list compares the values, too.
CREATE FUNCTION metadata_entries(scope text, metadata jsonb) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(hashtextextended(scope || key || '=' || value, 0)) FROM jsonb_each_text(metadata)
$$;

-- Every row that exists has {}, which fulfils the check: PostgreSQL need not read them. Making an index reads its table once and blocks the
-- table's writes until the commit, but no row is in an index yet. Rows without metadata never are.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payment_link', 'payment', 'refund', 'dispute', 'package', 'subscription', 'tokenization'] LOOP
    EXECUTE format($sql$ALTER TABLE %1$I ADD CONSTRAINT %1$s_metadata CHECK (jsonb_typeof(metadata) = 'object') NOT VALID$sql$, name);
    EXECUTE format($sql$CREATE INDEX %1$s_metadata_entries ON %1$I USING gin (metadata_entries(
      search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), metadata))
      WITH (fastupdate = off) WHERE metadata <> '{}'$sql$, name);
  END LOOP;
END
$$;
