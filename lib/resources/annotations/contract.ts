import { z } from "zod";
import type { Scope } from "@/lib/auth/scopes";
import { type Endpoint, endpoint } from "@/lib/http/endpoint";
import { metadata, notes } from "@/lib/http/metadata";

/** What a merchant attaches to a resource: Paydesk stores and shows it, and never reads it. */
export const annotations = {
  metadata: z.record(z.string(), z.string()).describe("Your own keys and values. The payer never sees them."),
  notes: z.string().nullable().describe("Free text for your team. The payer never sees it."),
};

const annotated = z.object(annotations);
export type Annotations = z.infer<typeof annotated>;

export const noAnnotations: Annotations = { metadata: {}, notes: null };

/** In the body of a creation or an update. What is not sent stays as it is. */
export const annotationFields = { metadata: metadata.nullish(), notes: notes.nullish() };

/** In the body of an update: the notes as the caller read them. */
export const previousNotes = notes
  .nullish()
  .describe(
    "The notes as you read them. If they have changed since, 412 and no change. Without it, the last one wins.",
  );

const annotationsInput = z.object({ ...annotationFields, previous_notes: previousNotes });
export type AnnotationsInput = z.output<typeof annotationsInput>;
export type AnnotationsBody = z.input<typeof annotationsInput>;

interface Annotated<Response, Data> {
  /** The resource's path, with its id. */
  path: string;
  /** "a payment link" */
  noun: string;
  /** The scope that reads the resource. */
  readScope: Scope;
  response: Response;
  data: Data;
}

/** The endpoint that changes a resource's metadata and notes, in any of its states. It returns the resource. */
export const annotationEndpoint = <
  const Response extends z.ZodType<Record<string, unknown>>,
  const Data extends Record<string, unknown> & { _id: string },
>({
  path,
  noun,
  readScope,
  response,
  data,
}: Annotated<Response, Data>) =>
  endpoint({
    method: "PUT",
    path: `${path}/annotations`,
    summary: `Change ${noun}'s metadata and notes`,
    description:
      "Changes only what is sent, in any state. The payer, the mails and the gateway never see metadata and notes; webhooks and exports have them. " +
      "With `previous_notes`, 412 if the notes have changed since you read them.",
    scope: "annotations:write",
    alsoRequires: readScope,
    body: annotationsInput,
    response,
    precondition: true,
    example: {
      path: `${path.replace(/\{\w+\}/, data._id)}/annotations`,
      body: { metadata: { order_id: "1001", channel: null }, notes: "Asked for an invoice by post." },
      data: { ...data, metadata: { order_id: "1001" }, notes: "Asked for an invoice by post." },
    },
  });

/** The endpoint as the dashboard calls it: it reads only metadata and notes of the response. */
export interface AnnotationEndpoint extends Endpoint {
  body: z.ZodType<Record<string, unknown>, AnnotationsBody>;
  response: z.ZodType<Annotations & Record<string, unknown>>;
}
