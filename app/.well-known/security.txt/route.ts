import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { respond } from "@/lib/http/handle";
import { bodiless, type Reply, routeHandler } from "@/lib/http/reply";

const validDays = 30;

/** Whom to tell about a vulnerability of this installation (RFC 9116). 404 unless the operator has set SECURITY_CONTACT. */
export const GET = routeHandler((request) => {
  const { SECURITY_CONTACT, APP_URL } = env();
  if (!SECURITY_CONTACT)
    return respond(request, () => {
      throw new ApiError("not_found");
    });
  const lines = [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${new Date(Date.now() + validDays * 86_400_000).toISOString()}`,
    `Canonical: ${APP_URL}/.well-known/security.txt`,
    "Preferred-Languages: en",
  ];
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "max-age=86400" };
  const reply: Reply = { status: 200, headers, body: `${lines.join("\n")}\n` };
  return request.method === "HEAD" ? bodiless(reply) : reply;
});
