import { describe, expect, it, vi } from "vitest";
import { notFound, ValidationError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { methods, respond } from "@/lib/http/handle";
import { toResponse } from "@/lib/http/reply";

const request = (method = "GET") => new Request("http://localhost/api/x", { method });
const answerTo = async (error: unknown) => {
  const reply = await respond(request(), () => {
    throw error;
  });
  const response = toResponse(reply);
  return { status: response.status, body: await response.text(), headers: response.headers };
};

describe("respond", () => {
  it("logs an unexpected error: the caller sees a 500 and the request id", async () => {
    const logged = vi.spyOn(log, "error").mockReturnValue(undefined);
    const { status, body, headers } = await answerTo(new Error("column secret_column does not exist"));
    expect([status, body]).toEqual([500, '{"message":"Server Error","code":"server_error"}']);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ requestId: headers.get("x-request-id"), err: expect.any(Error) }),
      "unexpected error",
    );
    logged.mockRestore();
  });

  it("returns 503 with Retry-After while the database is unavailable", async () => {
    const warned = vi.spyOn(log, "warn").mockReturnValue(undefined);
    const { status, body, headers } = await answerTo(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    expect([status, body]).toEqual([503, '{"message":"Service Unavailable","code":"service_unavailable"}']);
    expect(headers.get("retry-after")).toBe("1");
    warned.mockRestore();
  });

  it("returns errors in the contract's format", async () => {
    expect(await answerTo(notFound("Package"))).toMatchObject({
      status: 404,
      body: '{"message":"Package not found.","code":"not_found"}',
    });
    expect(await answerTo(new ValidationError({ a: ["The a is invalid."] }))).toMatchObject({
      status: 422,
      body: '{"message":"The given data was invalid.","errors":{"a":["The a is invalid."]}}',
    });
  });
});

it("lists a route's methods for an unsupported one", async () => {
  const route = methods({ method: "PUT", serve: () => ({ status: 200, headers: {}, body: "ok" }) });
  const context = { params: Promise.resolve({}) };
  const refused = await route.GET(request("GET"), context);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "PUT"]);
  expect((await route.OPTIONS(request("OPTIONS"), context)).headers.get("allow")).toBe("PUT");
});
