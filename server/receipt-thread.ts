import { parentPort } from "node:worker_threads";
import { receiptPdf } from "@/components/payer/receipt-pdf";
import { openPdfRenderer } from "@/lib/payer/pdf-renderer";
import type { Print, Printed } from "@/lib/payer/receipt-printer";

// A thread of lib/payer/receipt-printer.ts: rendering blocks an event loop for about 50 ms.

async function print({ receipt, logo }: Print): Promise<Printed> {
  try {
    const renderer = await openPdfRenderer();
    const copied = logo && { ...logo, content: Buffer.from(logo.content) }; // a message turns buffers into plain arrays
    return { pdf: await renderer.render(receiptPdf(receipt, renderer, copied)) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (job: Print) => {
  void print(job).then((printed) => parentPort?.postMessage(printed));
});
