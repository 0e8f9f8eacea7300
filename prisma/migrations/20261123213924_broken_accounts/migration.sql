-- AlterTable
ALTER TABLE "gateway_account" ADD COLUMN     "broken_at" TIMESTAMPTZ(6),
ADD COLUMN     "broken_code" TEXT,
ADD COLUMN     "probed_at" TIMESTAMPTZ(6),
ADD COLUMN     "refused_calls" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- By hand.
ALTER TABLE gateway_account ALTER COLUMN refused_calls SET NOT NULL;
ALTER TABLE gateway_account ADD CONSTRAINT gateway_account_broken CHECK (
  (broken_at IS NOT NULL) = (cardinality(refused_calls) > 0) AND (broken_at IS NOT NULL OR num_nonnulls(broken_code, probed_at) = 0));
CREATE INDEX gateway_account_to_probe ON gateway_account (probed_at) WHERE broken_at IS NOT NULL;
-- What the gateway makes of the keys is no change of the connection.
DROP TRIGGER touch_updated_at ON gateway_account;
CREATE TRIGGER touch_updated_at BEFORE UPDATE OF secrets, hint, replaced_at ON gateway_account
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
