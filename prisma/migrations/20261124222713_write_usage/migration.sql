-- CreateTable
CREATE TABLE "write_usage" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "day" DATE NOT NULL,
    "writes" INTEGER NOT NULL,

    CONSTRAINT "write_usage_pkey" PRIMARY KEY ("business_id","livemode","day")
);
