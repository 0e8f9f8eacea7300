/** A SEPA credit transfer in euros. */
export interface Transfer {
  holder: string;
  iban: string;
  bic: string | null;
  amountCents: number;
  /** At most 140 characters. */
  reference: string;
}

const maxHolderLength = 70;
const maxBytes = 331;

/**
 * The text of an EPC QR code (EPC069-12, version 002, UTF-8), which banking apps read. A name that is too long is cut: banks
 * compare at most its beginning.
 */
export function epcPayload({ holder, iban, bic, amountCents, reference }: Transfer): string {
  const amount = `EUR${Math.floor(amountCents / 100)}.${String(amountCents % 100).padStart(2, "0")}`;
  const name = [...holder.replace(/\s+/g, " ").trim()].slice(0, maxHolderLength);
  const write = () =>
    // The purpose and the structured reference, both empty, come before the text.
    ["BCD", "002", "1", "SCT", bic ?? "", name.join(""), iban, amount, "", "", reference].join("\n");
  while (Buffer.byteLength(write()) > maxBytes) name.pop();
  return write();
}

export interface QrCode {
  /** Modules along one side, including the quiet zone. */
  size: number;
  /** An SVG path whose stroke, one module wide, draws the dark modules of each row through their centres. */
  path: string;
}

const quietZone = 4;

/** A QR code of error correction M, as EPC069-12 requires: at most version 13, about 3 kB of path. */
export async function qrCodeOf(text: string): Promise<QrCode> {
  const { create } = await import("qrcode");
  const { modules } = create([{ data: Buffer.from(text), mode: "byte" }], { errorCorrectionLevel: "M" });
  let path = "";
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++) {
      if (!modules.get(y, x)) continue;
      const start = x;
      while (x < modules.size && modules.get(y, x)) x++;
      path += `M${start + quietZone} ${y + quietZone}h${x - start}`;
    }
  return { size: modules.size + 2 * quietZone, path };
}
