-- CreateTable
CREATE TABLE "saved_view" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_view_business_id_user_id_created_at_id_idx" ON "saved_view"("business_id", "user_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_business_id_user_id_list_name_key" ON "saved_view"("business_id", "user_id", "list", "name");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "membership"("business_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: at most one default of each list.
CREATE UNIQUE INDEX saved_view_default ON saved_view (business_id, user_id, list) WHERE is_default;
