-- DropTable
DROP TABLE "overview_figures";

-- CreateTable
CREATE TABLE "stored_figures" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "figures" JSONB,
    "as_of" TIMESTAMPTZ(6),
    "refreshed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '-infinity',
    "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "stored_figures_pkey" PRIMARY KEY ("business_id","livemode","kind")
);

-- By hand. The figures of the dropped table are computed again.
ALTER TABLE stored_figures ADD CONSTRAINT stored_figures_kind CHECK (kind IN ('overview', 'forecast'));
ALTER TABLE stored_figures ADD CONSTRAINT stored_figures_whole CHECK ((figures IS NULL) = (as_of IS NULL));
