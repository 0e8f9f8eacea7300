import type { DocumentProps } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { type PdfRenderer, type Weight, weights } from "@/lib/payer/pdf-renderer";
import { printable, replacementSign, setLines } from "@/lib/payer/pdf-text";
import type { Receipt } from "@/lib/payer/receipt";
import { type Logo, type LogoFile, logoOf } from "@/lib/resources/settings/brand";
import { payerTexts } from "@/messages/payer/texts";
import { receiptWords } from "./receipt-document";
import { moneyWords } from "./words";

const ink = "#14202b";
const soft = "#4d5b68";
const line = "#d5dce2";
const note = { color: "#6b4a00", backgroundColor: "#fdf3dc" };

/** In points: A4's width less the margins. */
const margin = 56;
const width = 595 - 2 * margin;
const labelWidth = 112;
const factWidth = width - labelWidth;
const columns = { date: 200, state: 140, amount: width - 340 };

/** Only for texts. A page or view would pass its line height on in points, which hides the page numbers. */
const font = (size: number, weight: Weight = "regular") => ({
  fontSize: size,
  fontWeight: weights[weight],
  lineHeight: 1.45,
});
type Style = ReturnType<typeof font> & { color?: string };

const row = { flexDirection: "row", borderTop: `1pt solid ${line}`, paddingVertical: 7 } as const;

/** In points: at most two lines of the name high, and no wider than its column. */
function sizeOf({ width, height }: Logo): { width: number; height: number } {
  const scale = Math.min(36 / height, 180 / width);
  return { width: width * scale, height: height * scale };
}

/** The same receipt gives the same bytes. */
export function receiptPdf(
  receipt: Receipt,
  { elements, face }: PdfRenderer,
  logo: LogoFile | null = null,
): ReactElement<DocumentProps> {
  const { Document, Image, Page, Text, View } = elements;
  const { receipt: texts, frame } = payerTexts[receipt.language];
  const mark = logo && logoOf(receipt.brand);
  const { brand_colour } = receipt.brand;
  /** Uses the code if the typeface lacks the currency's sign: "KRW 1,050" for "₩1,050". */
  const words = receiptWords(receipt, (t, cents, currency) => {
    const written = printable(moneyWords(t, cents, currency), face("regular"));
    return written.incomplete ? `${currency} ${written.text.replace(/[^\d., ]/g, "").trim()}` : written.text;
  });
  let incomplete = false;
  let cut = false;
  const set = (
    text: string,
    size: number,
    weight: Weight,
    columnWidth: number,
    maxLines: number,
    paragraphs = false,
  ) => {
    const written = printable(text, face(weight), paragraphs);
    const set = setLines(written.text, face(weight), size, columnWidth, maxLines);
    incomplete ||= written.incomplete;
    cut ||= set.cut;
    return set.lines;
  };
  // One text element a line: the renderer draws line ends in another typeface.
  const lined = (lines: string[], style: Style) =>
    lines.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and nothing is reordered.
      <Text key={index} style={style}>
        {line || " "}
      </Text>
    ));
  const business = set(receipt.business_name, 13, "semibold", width - 120, 4);
  const facts = words.facts.map(({ name, value, detail }) => ({
    name,
    value: set(value, 10, "semibold", factWidth, 4),
    // The longest description (2000 characters) takes about 27 lines; 30 keep this row on the first page.
    detail: detail ? set(detail, 9, "regular", factWidth, 30, true) : null,
  }));
  const contact = [receipt.brand.support_email, receipt.brand.support_phone]
    .filter((one) => one !== null)
    .map((one) => set(one, 8, "regular", 190, 1).join(""));
  const remarks = [words.reversed, words.refunded, words.testmode].filter((remark) => remark !== null);
  return (
    <Document
      title={texts.title(receipt.business_name)}
      author={receipt.business_name}
      creator="Paydesk"
      producer="Paydesk"
      language={receipt.language}
      creationDate={receipt.paid_at}
    >
      <Page size="A4" style={{ fontFamily: "Geist", color: ink, padding: margin, paddingBottom: 80 }}>
        <View style={{ flexDirection: "row", justifyContent: "space-between", marginBottom: 40 }}>
          <View style={{ width: width - 120 }}>
            {logo && mark && (
              <Image
                src={{ data: logo.content, format: logo.type === "image/png" ? "png" : "jpg" }}
                style={{ ...sizeOf(mark), marginBottom: 8 }}
              />
            )}
            {lined(business, font(13, "semibold"))}
          </View>
          <Text style={{ ...font(13), color: soft }}>{texts.heading}</Text>
        </View>
        {brand_colour && <View style={{ height: 3, width: 48, marginBottom: 12, backgroundColor: brand_colour }} />}
        <Text style={{ ...font(30, "bold"), lineHeight: 1.2, marginBottom: 4 }}>
          {words.amount}
          {words.currency && " "}
          {words.currency && <Text style={{ ...font(13), color: soft }}>{words.currency}</Text>}
        </Text>
        {remarks.map((remark) => (
          <Text
            key={remark}
            style={{ ...font(10, "semibold"), ...note, marginTop: 8, padding: "5 10", borderRadius: 4 }}
          >
            {remark}
          </Text>
        ))}
        <View style={{ marginTop: 24, borderBottom: `1pt solid ${line}` }}>
          {facts.map(({ name, value, detail }) => (
            <View key={name} style={row} wrap={false}>
              <Text style={{ ...font(10), width: labelWidth, color: soft }}>{name}</Text>
              <View style={{ width: factWidth }}>
                {lined(value, font(10, "semibold"))}
                {detail && <View style={{ marginTop: 2 }}>{lined(detail, { ...font(9), color: soft })}</View>}
              </View>
            </View>
          ))}
        </View>
        {words.refunds.length > 0 && (
          <View style={{ marginTop: 28 }}>
            <Text style={{ ...font(12, "semibold"), marginBottom: 8 }} minPresenceAhead={60}>
              {texts.refunds}
            </Text>
            {words.refunds.map(({ date, state, amount: refunded }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two refunds may be alike in all that is shown; nothing is reordered.
              <View key={index} style={row} wrap={false}>
                <Text style={{ ...font(10), width: columns.date }}>{date}</Text>
                <Text style={{ ...font(10), width: columns.state, color: soft }}>{state}</Text>
                <Text style={{ ...font(10), width: columns.amount, textAlign: "right" }}>{refunded}</Text>
              </View>
            ))}
            <View style={{ borderTop: `1pt solid ${ink}`, paddingTop: 7 }} wrap={false}>
              {words.sums.map(({ name, value }, index) => {
                const last = index === words.sums.length - 1;
                const style = { ...font(10, last ? "semibold" : "regular"), color: last ? ink : soft };
                return (
                  <View key={name} style={{ flexDirection: "row", paddingVertical: 2 }}>
                    <Text style={{ ...style, width: width - columns.amount }}>{name}</Text>
                    <Text style={{ ...style, width: columns.amount, textAlign: "right" }}>{value}</Text>
                  </View>
                );
              })}
            </View>
            {words.remarks.map((remark) => (
              <Text key={remark} style={{ ...font(10), color: soft, marginTop: 8 }}>
                {remark}
              </Text>
            ))}
          </View>
        )}
        {(incomplete || cut) && (
          <Text style={{ ...font(9), color: soft, marginTop: 24 }}>
            {[incomplete ? texts.replaced(replacementSign) : "", cut ? texts.cut : "", texts.seeWeb]
              .filter(Boolean)
              .join(" ")}
          </Text>
        )}
        <View
          fixed
          style={{
            fontSize: 8,
            position: "absolute",
            left: margin,
            right: margin,
            bottom: 36,
            flexDirection: "row",
            justifyContent: "space-between",
            color: soft,
          }}
        >
          <Text style={{ width: width - 80 }}>{[...contact, frame.poweredBy].join("  ·  ")}</Text>
          <Text render={({ pageNumber, totalPages }) => texts.page(String(pageNumber), String(totalPages))} />
        </View>
      </Page>
    </Document>
  );
}
