-- CreateTable
CREATE TABLE "api_request" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT,
    "status" INTEGER NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "request_id" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "request_body" TEXT,
    "response_body" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "api_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_created_at_id_idx" ON "api_request"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_actor_id_created_at_id_idx" ON "api_request"("business_id", "livemode", "actor_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_created_at_idx" ON "api_request" USING BRIN ("created_at");

-- AddForeignKey
ALTER TABLE "api_request" ADD CONSTRAINT "api_request_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what the Prisma schema cannot say.
ALTER TABLE "api_request"
  ADD CONSTRAINT "api_request_actor_type" CHECK ("actor_type" IN ('api_key', 'user')),
  ADD CONSTRAINT "api_request_bodies" CHECK (octet_length("request_body") <= 4096 AND octet_length("response_body") <= 4096);
