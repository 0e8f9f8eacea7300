import { useCustomerName } from "@/lib/resources/customers/queries";

interface PayerNameProps {
  email: string;
  /** Of the address after a name. */
  addressClass?: string;
}

/** A payer's name, if the customer has one, and address. */
export function PayerName({ email, addressClass }: PayerNameProps) {
  const name = useCustomerName(email);
  return name === null ? (
    email
  ) : (
    <>
      <bdi>{name}</bdi>
      <span className={addressClass}>
        {" "}
        · <span className="text-kumo-subtle">{email}</span>
      </span>
    </>
  );
}

/** The heading of a payer's row: the name above the address, or the address alone. */
export function PayerHeading({ email }: { email: string }) {
  const name = useCustomerName(email);
  const [user = "", domain = ""] = email.split(/(?<=@)/);
  const address = (
    <>
      {user}
      <wbr />
      {domain}
    </>
  );
  return name === null ? (
    address
  ) : (
    <>
      <bdi className="block truncate">{name}</bdi>
      <span className="block truncate text-sm font-normal text-kumo-subtle">{email}</span>
    </>
  );
}
