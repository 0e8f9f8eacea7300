import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { isTheme, themeCookie } from "@/components/shell/theme";
import { pseudoLanguage } from "@/messages/languages";
import { Texts } from "@/messages/provider";
import { chosenTexts } from "@/messages/server";
import { fontClasses } from "./fonts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Paydesk", template: "%s · Paydesk" },
  description: "Payment links, saved cards and subscriptions.",
  robots: { index: false, follow: false },
  icons: [
    { url: "/favicon.ico", sizes: "48x48" }, // browsers request it for every page, payers' pages too
    { url: "/icon.svg", type: "image/svg+xml" },
  ],
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  colorScheme: "light dark",
  viewportFit: "cover",
};

/** Reading the cookie also makes every page dynamic, which the per-request CSP nonce needs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = (await cookies()).get(themeCookie)?.value;
  const { language, tag, messages } = await chosenTexts();
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1];
  return (
    <html
      lang={language}
      className={fontClasses}
      data-mode={isTheme(chosen) && chosen !== "system" ? chosen : undefined}
      suppressHydrationWarning
    >
      <body>
        {/* Before the page's own scripts. A browser hides the nonce, so it differs from the HTML's. */}
        <script nonce={nonce} suppressHydrationWarning>
          {`new Worker("/load-formats.js")`}
        </script>
        <Texts language={language} tag={tag} messages={language === pseudoLanguage ? messages : undefined}>
          {children}
        </Texts>
      </body>
    </html>
  );
}
