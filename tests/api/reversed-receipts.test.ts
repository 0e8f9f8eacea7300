import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let key: string;
beforeAll(async () => {
  ({ key } = await createMerchant());
});

/** A payment's receipt as a page and as a PDF, for a browser in French. */
async function receiptOf({ receipt_url }: Row): Promise<{ page: string; pdf: string }> {
  const read = async (path: string) => {
    const reply = await fetch(`${baseUrl()}${path}`, { headers: { "Accept-Language": "fr" } });
    expect(reply.status).toBe(200);
    return Buffer.from(await reply.arrayBuffer());
  };
  const { pathname } = new URL(String(receipt_url));
  const [page, pdf] = await Promise.all([read(pathname), read(`${pathname}/pdf`)]);
  return { page: page.toString(), pdf: createHash("sha256").update(pdf).digest("hex") };
}

const course = {
  ...{ title: "Course", description: "Ten evenings", reference: "INV-1", amount: "11900" },
  ...{ tax_percent: 19, language: "de" },
};
const book = { title: "Book", reference: "INV-2", amount: "500" }; // no tax, no language

it("the receipt of a reversed payment stays as it was when its link is edited and paid again", async () => {
  const id = await create(key, "payment_links", course);
  const edit = async (over: object) => {
    const body = { email: "ada@example.com", currency: "EUR", ...over };
    expect((await call("PUT", `/payment-links/${id}`, { key, body })).status).toBe(200);
  };
  const payments = async (): Promise<Row[]> =>
    (await call("GET", `/payments?payment_link_id=${id}&sort=created_at`, { key })).json.data;
  const receipts = async () => Promise.all((await payments()).map(receiptOf));
  const markAndReverse = async () => {
    const paid = { method: "transfer", paid_on: new Date().toISOString().slice(0, 10) };
    expect((await call("POST", `/payment-links/${id}/mark-paid`, { key, body: paid })).status).toBe(200);
    const path = `/payments/${(await payments()).at(-1)?._id}/reverse`;
    expect((await call("POST", path, { key, body: { reason: "The cheque bounced" } })).status).toBe(200);
  };

  await markAndReverse();
  const [first] = await receipts();
  for (const words of ["Course", "Ten evenings", "INV-1", "119,00\u00a0€", "Steuer (19\u00a0%)", "19,00\u00a0€"])
    expect(first?.page).toContain(words);
  await edit({ ...book, tax_percent: 7, language: "es" });
  expect(await receipts()).toEqual([first]);
  await edit(book);
  expect(await receipts()).toEqual([first]);
  expect(await payments()).toMatchObject([{ title: "Book", status: "reversed" }]); // the link's

  await markAndReverse();
  const [, second] = await receipts();
  for (const words of ["Book", "INV-2", "5,00\u00a0€"]) expect(second?.page).toContain(words);
  expect(second?.page).not.toMatch(/Course|Ten evenings|taxe|Steuer/i);
  await edit({ ...course, title: "Course in May" });
  expect(await receipts()).toEqual([first, second]);

  await payAt(`/pay?id=${id}`);
  const [, , third] = await receipts();
  expect(third?.page).toContain("Course in May");
  expect(await receipts()).toEqual([first, second, third]);
});
