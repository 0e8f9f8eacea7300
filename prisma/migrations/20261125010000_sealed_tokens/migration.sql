-- AlterTable
ALTER TABLE "tokenization" ADD COLUMN     "sealed_token" TEXT,
ADD COLUMN     "token_hash" TEXT,
ALTER COLUMN "token" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "tokenization_token_hash_key" ON "tokenization"("token_hash");

-- By hand, to the end (docs/decisions/0044-secrets-at-rest.md). A job encrypts the tokens of old rows, because that needs APP_SECRET.
ALTER TABLE tokenization ADD CONSTRAINT tokenization_token CHECK (
  num_nonnulls(token, sealed_token) = 1 AND num_nulls(sealed_token, token_hash) <> 1);

-- How a secret is stored is no change of its row: a transaction that only encrypts anew keeps updated_at (server/reseal.ts).
CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('paydesk.keep_updated_at', true), '') = '' THEN
    NEW.updated_at := row_time();
  END IF;
  RETURN NEW;
END
$$;
CREATE OR REPLACE FUNCTION touch_in_business_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('paydesk.keep_updated_at', true), '') = '' THEN
    NEW.updated_at := business_time(NEW.business_id, NEW.livemode);
  END IF;
  RETURN NEW;
END
$$;
