import type { ReactNode } from "react";
import { type Brand, logoOf } from "@/lib/resources/settings/brand";

export interface Merchant {
  business: string;
  testmode: boolean;
  brand: Brand;
}

export function Header({ business, testmode, brand }: Merchant) {
  const logo = logoOf(brand);
  return (
    <div className="top">
      <p className="business">
        {logo ? (
          // biome-ignore lint/performance/noImgElement: a document without scripts
          <img className="logo" src={logo.path} alt="" width={logo.width} height={logo.height} />
        ) : (
          <span className="mark" aria-hidden="true">
            {[...business.trim()][0]?.toUpperCase() ?? ""}
          </span>
        )}
        <span>{business}</span>
      </p>
      {testmode && <p className="badge">Test mode</p>}
    </div>
  );
}

export function Frame({
  wide = false,
  merchant,
  children,
}: {
  wide?: boolean;
  merchant?: Merchant;
  children: ReactNode;
}) {
  return (
    <>
      <main className={wide ? "wide" : undefined}>{children}</main>
      <footer>
        {merchant && <Contact {...merchant} />}
        <p>Payments by Paydesk</p>
      </footer>
    </>
  );
}

function Contact({ business, brand: { support_email, support_phone } }: Merchant) {
  if (!support_email && !support_phone) return null;
  return (
    <p className="contact">
      Questions? Contact {business}:{" "}
      {support_email && <a href={`mailto:${encodeURI(support_email)}`}>{support_email}</a>}
      {support_email && support_phone && " or "}
      {support_phone && <a href={`tel:${support_phone.replace(/[^\d+]/g, "")}`}>{support_phone}</a>}
    </p>
  );
}
