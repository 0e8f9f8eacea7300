import type { ReactNode } from "react";
import type { PayerTexts } from "@/messages/payer/texts";
import { Frame, Header, type Merchant } from "./frame";
import { Icon, type Shape } from "./icon";

export type NoticeProps = {
  t: PayerTexts;
  /** Absent if naming the business would tell a stranger who it is. */
  merchant?: Merchant;
  tone?: "good" | "bad" | "note";
  icon: Shape;
  title: string;
  text: readonly string[];
  facts?: readonly (readonly [name: string, value: string])[];
  children?: ReactNode;
  /** Announced by screen readers when it appears. */
  live?: boolean;
  words?: string | null;
};

export function Notice({ t, merchant, tone, icon, title, text, facts, children, live, words }: NoticeProps) {
  return (
    <Frame t={t} merchant={merchant}>
      {merchant && <Header t={t} {...merchant} />}
      <div className="card notice" role={live ? "status" : undefined}>
        <div className={tone ? `icon ${tone}` : "icon"}>
          <Icon shape={icon} />
        </div>
        <h1>{title}</h1>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {words && <p className="words">{words}</p>}
        {facts && (
          <dl className="facts">
            {facts.map(([name, value], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: facts may be alike, and nothing is reordered.
              <div key={index}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {children && <div className="actions">{children}</div>}
      </div>
    </Frame>
  );
}
