import type { ReactNode } from "react";
import { Frame, Header } from "./frame";
import { Icon, type Shape } from "./icon";

export type NoticeProps = {
  /** Absent where naming the business would tell a stranger something. */
  business?: string;
  testmode?: boolean;
  tone?: "good" | "bad" | "note";
  icon: Shape;
  title: string;
  /** Each string is a paragraph. */
  text: readonly string[];
  facts?: readonly (readonly [name: string, value: string])[];
  children?: ReactNode;
  /** Announced as it appears: for a payment in flight. */
  live?: boolean;
};

/** A page that says one thing: what state something is in, and what the payer can do now. */
export function Notice({ business, testmode = false, tone, icon, title, text, facts, children, live }: NoticeProps) {
  return (
    <Frame>
      {business !== undefined && <Header business={business} testmode={testmode} />}
      <div className="card notice" role={live ? "status" : undefined}>
        <div className={tone ? `icon ${tone}` : "icon"}>
          <Icon shape={icon} />
        </div>
        <h1>{title}</h1>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {facts && (
          <dl className="facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {children && <div className="actions">{children}</div>}
      </div>
    </Frame>
  );
}
