import type { ReactNode } from "react";

/** Whose page it is, and whether real money moves on it. */
export function Header({ business, testmode }: { business: string; testmode: boolean }) {
  return (
    <div className="top">
      <p className="business">
        <span className="mark" aria-hidden="true">
          {[...business.trim()][0]?.toUpperCase() ?? ""}
        </span>
        <span>{business}</span>
      </p>
      {testmode && <p className="badge">Test mode</p>}
    </div>
  );
}

export function Frame({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <>
      <main className={wide ? "wide" : undefined}>{children}</main>
      <footer>Payments by Paydesk</footer>
    </>
  );
}
