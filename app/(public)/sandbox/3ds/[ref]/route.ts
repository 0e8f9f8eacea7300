import { readForm, serve, unknown } from "@/app/(public)/serve";
import { bankDocument, bankUnknownDocument } from "@/components/payer/bank-documents";
import { problemDocument } from "@/components/payer/general-documents";
import { answerChallenge, findChallenge } from "@/lib/gateways/sandbox/challenge";
import { documentResponse, seeOther } from "@/lib/payer/document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (request, params) => {
    const ref = String(params.ref);
    const challenge = await findChallenge(ref);
    return challenge ? documentResponse(bankDocument(ref, challenge)) : unknown(request, bankUnknownDocument());
  },

  POST: async (request, params) => {
    const form = await readForm(request);
    if (!form) return documentResponse(problemDocument("not_a_form", "en"));
    const ref = String(params.ref);
    const challenge = await findChallenge(ref);
    if (!challenge) return unknown(request, bankUnknownDocument());
    const answer = form.get("answer");
    if (answer !== "approve" && answer !== "reject") return documentResponse(bankDocument(ref, challenge));
    await answerChallenge(ref, answer === "approve");
    return seeOther(challenge.returnPath);
  },
});
