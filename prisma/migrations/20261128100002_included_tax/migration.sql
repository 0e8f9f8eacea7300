-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "tax_basis_points" INTEGER,
ADD COLUMN     "tax_cents" INTEGER;

-- By hand. Not validated: no row has these columns yet.
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_tax_basis_points CHECK (tax_basis_points BETWEEN 0 AND 10000) NOT VALID,
  ADD CONSTRAINT payment_link_tax_cents CHECK (
    (tax_cents IS NULL) = (tax_basis_points IS NULL) AND tax_cents BETWEEN 0 AND amount_cents) NOT VALID;
