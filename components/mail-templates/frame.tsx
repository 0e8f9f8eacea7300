import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Html } from "@react-email/html";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { env } from "@/lib/core/env";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted, untrustedLines } from "@/lib/outbox/mail/untrusted-text";
import { type Brand, logoOf } from "@/lib/resources/settings/brand";
import { isColour, paletteOf } from "@/lib/resources/settings/colour";
import { type PayerMailTexts, payerMailTexts } from "@/messages/payer/mail-texts";
import { colours, darkStyle, font } from "./style";

export interface Letter {
  subject: string;
  /** Shown beside the subject in the recipient's inbox. */
  preview: string;
  body: ReactElement;
}

const plain = { margin: "0 0 12px", fontSize: 16, lineHeight: "24px", color: colours.ink };

interface FrameProps {
  t: PayerMailTexts;
  head: Letterhead;
  letter: Letter;
  staff: boolean;
}

/** The heading is the business's name; in mails to staff, Paydesk's. */
export function Frame({ t, head, letter, staff }: FrameProps) {
  const { frame } = t.mails;
  const name = staff ? "Paydesk" : untrusted(head.business_name, 100);
  const sheet = darkStyle + brandedButton(staff ? null : head.brand.brand_colour);
  return (
    <Html lang={t.language}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{letter.subject}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours, and colours */}
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
      </Head>
      <Body className="page" style={{ margin: 0, padding: 0, backgroundColor: colours.page, fontFamily: font }}>
        <div data-skip-in-text="true" style={{ display: "none", maxHeight: 0, overflow: "hidden", opacity: 0 }}>
          {letter.preview}
        </div>
        <Container style={{ maxWidth: 560, padding: "24px 16px" }}>
          {!staff && <LogoOf brand={head.brand} />}
          <Text className="ink" style={{ ...plain, margin: "0 0 16px", padding: "0 4px", ...broken, fontWeight: 600 }}>
            {name}
          </Text>
          {!head.livemode && !staff && (
            <Text className="note" style={{ ...noteStyle, margin: "0 0 16px" }}>
              {frame.testMode}
            </Text>
          )}
          <Section
            className="card"
            style={{ backgroundColor: colours.card, border: `1px solid ${colours.line}`, borderRadius: 14 }}
          >
            <div style={{ padding: "24px 20px 12px" }}>{letter.body}</div>
          </Section>
          <Text className="soft" style={{ ...plain, ...soft, margin: "16px 4px 0", ...broken }}>
            {staff ? (
              <>
                You get this e-mail because you use Paydesk.
                {head.unsubscribe && (
                  <>
                    {" "}
                    <a href={head.unsubscribe} className="link" style={{ color: colours.accent }}>
                      Stop these e-mails
                    </a>
                  </>
                )}
              </>
            ) : head.support_email ? (
              <>
                {frame.reply}{" "}
                <a href={`mailto:${encodeURI(head.support_email)}`} className="link" style={{ color: colours.accent }}>
                  {head.support_email}
                </a>
                {head.brand.support_phone ? frame.orCall(untrusted(head.brand.support_phone, 32)) : "."}
              </>
            ) : head.brand.support_phone ? (
              frame.call(untrusted(head.brand.support_phone, 32))
            ) : (
              frame.sentBy(name)
            )}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

/** On white, so that dark logos stay visible in a dark mail program. */
function LogoOf({ brand }: { brand: Brand }) {
  const logo = logoOf(brand);
  if (!logo) return null;
  const scale = Math.min(1, 44 / logo.height, 180 / logo.width);
  return (
    // biome-ignore lint/performance/noImgElement: a mail
    <img
      src={`${env().APP_URL}${logo.path}`}
      alt=""
      width={Math.round(logo.width * scale)}
      height={Math.round(logo.height * scale)}
      style={{ margin: "0 0 8px 4px", padding: 4, borderRadius: 8, backgroundColor: "#ffffff" }}
    />
  );
}

/** A style sheet with `!important`, because it has to override the inline styles and `darkStyle`. */
function brandedButton(colour: string | null): string {
  if (!colour || !isColour(colour)) return "";
  const { fill, ink } = paletteOf(colour);
  return `.button{background-color:${fill}!important;color:${ink}!important}
@media (prefers-color-scheme:dark){.button{background-color:${fill}!important;color:${ink}!important}}`;
}

const broken = { overflowWrap: "anywhere", wordBreak: "break-word" } as const;
const soft = { fontSize: 14, lineHeight: "21px", color: colours.soft };
const noteStyle = {
  padding: "8px 12px",
  borderRadius: 8,
  backgroundColor: colours.noteTint,
  color: colours.note,
  fontSize: 14,
  lineHeight: "21px",
  fontWeight: 600,
};

export function Title({ children }: { children: ReactNode }) {
  return (
    <Heading
      as="h1"
      className="ink"
      style={{ ...broken, margin: "0 0 12px", fontSize: 22, lineHeight: "29px", fontWeight: 700, color: colours.ink }}
    >
      {children}
    </Heading>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={{ ...plain, ...broken }}>
      {children}
    </Text>
  );
}

export function Aside({ children }: { children: ReactNode }) {
  return (
    <Text className="soft" style={{ ...plain, ...soft, ...broken }}>
      {children}
    </Text>
  );
}

interface FactsProps {
  /** English by default, as in mails to staff. */
  t?: PayerMailTexts;
  facts: readonly (readonly [name: string, value: string] | null)[];
}

export function Facts({ t = payerMailTexts.en, facts }: FactsProps) {
  return (
    <div className="facts" style={{ margin: "4px 0 16px", borderTop: `1px solid ${colours.line}` }}>
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value], index) => (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: facts may be alike, and nothing is reordered.
            key={index}
            className="ink fact"
            style={{
              ...plain,
              ...broken,
              margin: 0,
              padding: "9px 0",
              fontSize: 15,
              borderBottom: `1px solid ${colours.line}`,
            }}
          >
            <span className="soft" style={{ color: colours.soft }}>
              {t.mails.frame.labelled(name)}
            </span>{" "}
            <strong style={{ fontWeight: 600 }}>{value}</strong>
          </p>
        ))}
    </div>
  );
}

/** The plain-text part marks each quoted line, so that it cannot pass for Paydesk's own text. */
export function Quote({ words }: { words: string | null }) {
  if (!words?.trim()) return null;
  return (
    <blockquote
      className="quote"
      style={{ margin: "0 0 16px", padding: "0 0 0 12px", borderLeft: `3px solid ${colours.line}` }}
    >
      <p className="soft" style={{ ...plain, ...soft, ...broken, margin: 0 }}>
        {untrustedLines(words).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and nothing is reordered.
          <Fragment key={index}>
            {index > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </p>
    </blockquote>
  );
}

/** The stored copy of a mail has no link if the link signs its reader in. It shows a note in its place. */
export function Action({
  t = payerMailTexts.en,
  label,
  link,
}: {
  t?: PayerMailTexts;
  label: string;
  link: string | null;
}) {
  if (link === null)
    return (
      <Text className="note" style={{ ...noteStyle, margin: "8px 0 16px" }}>
        {label}: the link is not stored. Only the e-mail itself has it.
      </Text>
    );
  return (
    <>
      <div style={{ margin: "8px 0 14px" }}>
        <Button
          href={link}
          className="button"
          data-action="true"
          style={{
            display: "block",
            boxSizing: "border-box",
            padding: "14px 20px",
            borderRadius: 10,
            backgroundColor: colours.accent,
            color: colours.onAccent,
            fontSize: 16,
            lineHeight: "20px",
            fontWeight: 600,
            textAlign: "center",
            textDecoration: "none",
          }}
        >
          {label}
        </Button>
      </div>
      <div data-skip-in-text="true">
        <Text className="soft" style={{ ...plain, ...soft, ...broken, fontSize: 13, lineHeight: "19px" }}>
          {t.mails.frame.ifButtonFails}{" "}
          <a href={link} target="_blank" rel="noreferrer" className="link" style={{ color: colours.accent }}>
            {link}
          </a>
        </Text>
      </div>
    </>
  );
}
