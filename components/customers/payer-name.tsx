import { useCustomerName } from "@/lib/resources/customers/queries";

/** A payer's name, if the customer has one, and address. */
export function PayerName({ email }: { email: string }) {
  const name = useCustomerName(email);
  return name === null ? (
    email
  ) : (
    <>
      <bdi>{name}</bdi> · <span className="text-kumo-subtle">{email}</span>
    </>
  );
}
