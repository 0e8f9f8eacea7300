import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { PackagePage } from "@/components/packages/package-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("package");

export default detailPage("/packages", PackagePage);
