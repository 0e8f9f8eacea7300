-- DropIndex
DROP INDEX "payment_link_business_id_livemode_email_idx";

-- DropIndex
DROP INDEX "payment_link_business_id_livemode_reference_idx";

-- DropIndex
DROP INDEX "payment_link_business_id_livemode_reference_2_idx";

-- DropIndex
DROP INDEX "subscription_business_id_livemode_email_idx";

-- DropIndex
DROP INDEX "tokenization_business_id_livemode_email_idx";

-- By hand: what the Prisma schema cannot say.

-- E-mails are compared in lower case, by payment_link_customer, subscription_customer and tokenization_customer, which begin
-- with the same columns as subscription_email. Most links have no reference. What is left is written with every charge.
-- All of this is one transaction: links, subscriptions and cards are closed while the two indexes are made, a second or so
-- for a million links.
DROP INDEX subscription_email;
CREATE INDEX payment_link_reference ON payment_link (business_id, livemode, reference) WHERE reference IS NOT NULL;
CREATE INDEX payment_link_reference_2 ON payment_link (business_id, livemode, reference_2) WHERE reference_2 IS NOT NULL;
