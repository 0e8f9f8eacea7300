import { redirect } from "next/navigation";
import { currentMode, currentSettings, requireSession } from "@/app/(dashboard)/session";
import { SetUpPage } from "@/components/account/set-up-page";
import { BusinessSwitcher } from "@/components/shell/business-switcher";
import { Providers } from "@/components/shell/providers";
import { UserMenu } from "@/components/shell/user-menu";
import { env } from "@/lib/core/env";
import { chosenTexts, titled } from "@/messages/server";

export const generateMetadata = titled("twoFactor");

/** The only page of a person without the second factor that the business requires. */
export default async function TwoFactorPage() {
  const session = await requireSession("/two-factor");
  const settings = await currentSettings();
  if (!settings) redirect("/login");
  const { userId, userName: name, userEmail: email, businessId, businessName, role } = session;
  const { language } = await chosenTexts();
  return (
    <Providers mode={await currentMode()} person={{ userId, email, businessId, role }} settings={settings} clock={null}>
      <header className="flex h-14 items-center gap-3 border-b border-kumo-hairline bg-kumo-base px-4 md:px-6">
        <BusinessSwitcher name={businessName} canCreate={env().REGISTRATION === "open"} />
        <div className="ml-auto">
          <UserMenu user={{ name, email }} language={language} />
        </div>
      </header>
      <main className="mx-auto w-full max-w-3xl px-4 py-6 md:px-6 md:py-8">
        <SetUpPage business={session.lacksSecondFactor ? businessName : null} />
      </main>
    </Providers>
  );
}
