import { useCustomerName } from "@/lib/resources/customers/queries";

/** The address of a payer, behind the name if the customer has one. */
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
