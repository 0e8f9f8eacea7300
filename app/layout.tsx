import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { isTheme, themeCookie } from "@/components/shell/theme";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Paydesk", template: "%s · Paydesk" },
  description: "Payment links, saved cards and subscriptions.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

/** Reading the cookie also makes every page dynamic, which the per-request nonce of its scripts needs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-mode={isTheme(chosen) && chosen !== "system" ? chosen : undefined}
      suppressHydrationWarning
    >
      <body>{children}</body>
    </html>
  );
}
