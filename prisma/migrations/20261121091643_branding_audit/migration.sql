-- AlterTable
ALTER TABLE "business" ADD COLUMN     "brand_colour" CHAR(7),
ADD COLUMN     "logo_hash" TEXT,
ADD COLUMN     "logo_height" INTEGER,
ADD COLUMN     "logo_width" INTEGER,
ADD COLUMN     "support_phone" TEXT,
ADD COLUMN     "thank_you_text" TEXT;

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "address" TEXT,
    "request_id" TEXT,
    "action" TEXT NOT NULL,
    "resource_id" TEXT,
    "about" TEXT,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "business_logo" (
    "business_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "business_logo_pkey" PRIMARY KEY ("business_id","hash")
);

-- CreateIndex
CREATE INDEX "audit_entry_business_id_created_at_id_idx" ON "audit_entry"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_business_id_action_created_at_id_idx" ON "audit_entry"("business_id", "action", "created_at", "id");

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "business_logo" ADD CONSTRAINT "business_logo_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- By hand: what the Prisma schema cannot say.
ALTER TABLE business
  ADD CONSTRAINT business_brand_colour CHECK (brand_colour ~ '^#[0-9a-f]{6}$'),
  ADD CONSTRAINT business_logo_whole CHECK (num_nulls(logo_hash, logo_width, logo_height) IN (0, 3)),
  ADD CONSTRAINT business_logo_shown FOREIGN KEY (id, logo_hash) REFERENCES business_logo (business_id, hash);
ALTER TABLE business_logo
  ADD CONSTRAINT business_logo_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT business_logo_type CHECK (type IN ('image/png', 'image/jpeg')),
  ADD CONSTRAINT business_logo_size CHECK (octet_length(content) BETWEEN 1 AND 24576);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_actor CHECK (actor_type IN ('api_key', 'user', 'system'));

-- Who did what stays as it was written.
CREATE TRIGGER audit_entry_is_final BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_is_whole BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
