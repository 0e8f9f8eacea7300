import { redirect } from "next/navigation";
import { requireSession } from "./session";

/** Payment links are all there is so far; the overview takes this place later. */
export default async function OverviewPage() {
  await requireSession("/");
  redirect("/payment-links");
}
