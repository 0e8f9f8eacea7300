import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { linkClass } from "@/components/ui/detail";
import { focusPage } from "@/components/ui/focus-later";
import { Link } from "@/components/ui/link";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { customersQueryOptions } from "@/lib/resources/customers/queries";

/** Lists that are searched by e-mail, not by name: their pages, filtered by a customer's e-mail. */
const filteredPaths = {
  payments: (email: string) => `/payments?email=${email}`,
  paymentLinks: (email: string) => `/payment-links?email=${email}&periods=shown`,
  subscriptions: (email: string) => `/subscriptions?email=${email}`,
  emails: (email: string) => `/emails?to=${email}`,
};

interface FoundCustomersProps {
  of: keyof typeof filteredPaths;
  /** What the list was searched for. */
  text: string;
}

/** For a search without results: the customers whose name or e-mail matches, each with a link to their rows in the list. */
export function FoundCustomers({ of, text }: FoundCustomersProps) {
  const t = useTranslations("customers.found");
  const may = useMay();
  const found = useQuery({
    ...customersQueryOptions({ q: text, per_page: "5" }),
    enabled: may(customerEndpoints.list),
    placeholderData: undefined, // those of another text would be wrong
  });
  const customers = found.data?.rows.filter(({ email }) => email !== text.trim().toLowerCase()) ?? []; // the list was searched for that address
  if (customers.length === 0) return null;
  return (
    <ul className="mb-3 grid max-w-full gap-1 text-base wrap-anywhere">
      {customers.map(({ _id, email, name }) => (
        <li key={_id}>
          <Link
            href={filteredPaths[of](encodeURIComponent(email))}
            onClick={focusPage} // the link disappears
            className={`inline-block rounded text-kumo-default max-md:py-2.5 ${linkClass}`}
          >
            {t(of, { name: name ?? email })}
          </Link>
        </li>
      ))}
    </ul>
  );
}
