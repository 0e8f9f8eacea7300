-- Whether the customer has been told of the next price. Until now a price was charged from its date on, so all of them count as told.
-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "next_amount_told" BOOLEAN NOT NULL DEFAULT true;

-- By hand.
CREATE INDEX subscription_untold_price ON subscription (next_amount_from) WHERE NOT next_amount_told;
