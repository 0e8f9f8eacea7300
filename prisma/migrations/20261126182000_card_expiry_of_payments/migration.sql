-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "card_exp_month" INTEGER,
ADD COLUMN     "card_exp_year" INTEGER;

-- AlterTable
ALTER TABLE "sandbox_charge" ADD COLUMN     "card_exp_month" INTEGER,
ADD COLUMN     "card_exp_year" INTEGER;
