import { ApiError } from "@/lib/core/errors";
import type { Incoming } from "@/lib/core/incoming";

export const maxBodyBytes = 64 * 1024;

/**
 * Reads a request's body, counting bytes while it streams: an oversized body never gets into memory whole.
 * @throws ApiError body_too_large
 */
export async function readBody({ headers, body }: Incoming): Promise<Uint8Array> {
  if (Number(headers.get("content-length") ?? 0) > maxBodyBytes) throw new ApiError("body_too_large");
  if (!body) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new ApiError("body_too_large");
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
