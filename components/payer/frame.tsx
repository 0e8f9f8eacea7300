import type { ReactNode } from "react";
import { type Brand, logoOf } from "@/lib/resources/settings/brand";
import type { PayerTexts } from "@/messages/payer/texts";

export interface Merchant {
  business: string;
  testmode: boolean;
  brand: Brand;
}

export function Header({ t, business, testmode, brand }: Merchant & { t: PayerTexts }) {
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
      {testmode && <p className="badge">{t.frame.testMode}</p>}
    </div>
  );
}

export function Frame({
  t,
  wide = false,
  merchant,
  children,
}: {
  t: PayerTexts;
  wide?: boolean;
  merchant?: Merchant;
  children: ReactNode;
}) {
  return (
    <>
      <main className={wide ? "wide" : undefined}>{children}</main>
      <footer>
        {merchant && <Contact t={t} {...merchant} />}
        <p>{t.frame.poweredBy}</p>
      </footer>
    </>
  );
}

function Contact({ t, business, brand: { support_email, support_phone } }: Merchant & { t: PayerTexts }) {
  if (!support_email && !support_phone) return null;
  return (
    <p className="contact">
      {t.frame.questions(business)}{" "}
      {support_email && <a href={`mailto:${encodeURI(support_email)}`}>{support_email}</a>}
      {support_email && support_phone && ` ${t.or} `}
      {support_phone && <a href={`tel:${support_phone.replace(/[^\d+]/g, "")}`}>{support_phone}</a>}
    </p>
  );
}
