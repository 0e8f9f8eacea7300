-- CreateTable
CREATE TABLE "link_visit" (
    "payment_link_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(6) NOT NULL,
    "visits" INTEGER NOT NULL DEFAULT 1,
    "last_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "link_visit_pkey" PRIMARY KEY ("payment_link_id","hour")
);

-- AddForeignKey
ALTER TABLE "link_visit" ADD CONSTRAINT "link_visit_payment_link_id_fkey" FOREIGN KEY ("payment_link_id") REFERENCES "payment_link"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
