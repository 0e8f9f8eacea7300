import { listPage } from "@/app/(dashboard)/list-page";
import { CustomersPage } from "@/components/customers/customers-page";
import { customerFilters, customersQuery } from "@/components/customers/filters";
import { customersQueryOptions } from "@/lib/resources/customers/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customers");

export default listPage("/customers", CustomersPage, {
  filters: customerFilters,
  query: (filter) => customersQueryOptions(customersQuery(filter)),
});
