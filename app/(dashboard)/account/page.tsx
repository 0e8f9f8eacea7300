import type { Metadata } from "next";
import { AccountPage } from "@/components/account/account-page";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Your account" };

export default async function Page() {
  await requireSession("/account");
  return <AccountPage />;
}
