-- AlterTable
ALTER TABLE "overview_figures" ALTER COLUMN "open" DROP NOT NULL,
ALTER COLUMN "recurring" DROP NOT NULL,
ALTER COLUMN "as_of" DROP NOT NULL;

-- By hand: a row without figures asks the job for them.
ALTER TABLE overview_figures ADD CONSTRAINT overview_figures_whole CHECK (num_nulls(open, recurring, as_of) IN (0, 3));
