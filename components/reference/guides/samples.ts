import type { Sample } from "@/components/reference/code-sample";
import { type Language, languages, type SampleRequest, sampleIn, sampleRequest } from "@/components/reference/samples";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { failureTexts } from "./failure-texts";
import { pageTexts } from "./page-texts";
import { signatureTexts } from "./signature-texts";

export const guideSampleIds = [
  "first-link",
  "read-link",
  "endpoint",
  "signature",
  "idempotency",
  "pages",
  "failures",
] as const;
export type GuideSampleId = (typeof guideSampleIds)[number];

const inEach = (request: SampleRequest): Record<Language, string> =>
  Object.fromEntries(languages.map((language) => [language, sampleIn(language, request)])) as Record<Language, string>;

const firstLink = {
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  redirect_url: "https://example.com/thanks",
};

/** The samples of the guides: requests of the contract, and a few longer programs. */
export function guideSamples(baseUrl: string): Sample[] {
  const create = { ...sampleRequest(paymentLinkEndpoints.create, baseUrl), body: firstLink };
  const texts: Record<GuideSampleId, Record<Language, string>> = {
    "first-link": inEach(create),
    "read-link": inEach(sampleRequest(paymentLinkEndpoints.get, baseUrl)),
    endpoint: inEach(sampleRequest(webhookEndpointEndpoints.create, baseUrl)),
    signature: signatureTexts,
    idempotency: inEach({ ...create, headers: { "Idempotency-Key": "order-1001" } }),
    pages: pageTexts(`${baseUrl}/payment-links`),
    failures: failureTexts(`${baseUrl}/payment-links`),
  };
  return guideSampleIds.map((id) => ({ id, texts: texts[id] }));
}
