import { db } from "@/lib/core/db";
import { changeCustomerEmail } from "@/lib/resources/customers/change-email";
import type { CustomerUpdate } from "@/lib/resources/customers/contract";
import { updateCustomer } from "@/lib/resources/customers/service";
import type { Desk } from "./desk";
import type { History } from "./history";

/** Names, notes and metadata of customers. Some customers have only their e-mail. */
const known: Record<string, CustomerUpdate> = {
  "marta.keller": {
    name: "Marta Keller",
    notes: "In the reading club since spring. Collects orders in the shop on Saturdays.",
    metadata: { crm_id: "C-1042", newsletter: "yes" },
  },
  "oliver.grant": { name: "Oliver Grant", notes: "The atlas arrived damaged; refunded in part." },
  "ines.moreau": {
    name: "Lycée Moreau, Inès Moreau",
    notes: "School library. Pays by bank transfer, wants one invoice for each order.",
    metadata: { crm_id: "C-1077", customer_group: "schools" },
  },
  "david.okafor": { name: "David Okafor", metadata: { crm_id: "C-1011" } },
  "sophie.laurent": { name: "Sophie Laurent" },
  "henrik.nilsson": { name: "Henrik Nilsson", notes: "Away until the end of the month, asked us to pause the club." },
  "lucia.ferrari": { name: "Lucía Ferrari" },
  "amelie.dubois": { name: "Amélie Dubois", notes: "New card announced by phone." },
  "peter.vogel": { name: "Peter Vogel" },
  "ruth.bergman": { name: "Ruth Bergman", metadata: { crm_id: "C-1118" } },
  "pavel.novak": { name: "Pavel Novák", notes: "Disputed order 2031. Send signed editions by tracked post only." },
  "carlos.mendes": { name: "Carlos Mendes", metadata: { customer_group: "libraries" } },
  "freya.larsen": { name: "Freya Larsen" },
};

export function planCustomers(history: History, desk: Desk): void {
  for (const [n, [who, input]] of Object.entries(known).entries())
    history.at(history.minutesAgo(90 - n), () =>
      desk.asStaff(() => updateCustomer(db, desk.actor, `${who}@example.com`, input)),
    );
  // What she has paid stays with her former address.
  const email = "freya@larsen.example";
  history.at(history.minutesAgo(60), () =>
    desk.asStaff(() => changeCustomerEmail(db, desk.actor, "freya.larsen@example.com", { email })),
  );
}
