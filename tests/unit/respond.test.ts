import { describe, expect, it, vi } from "vitest";
import { ApiError, isDatabaseAway, notFound, ValidationError } from "@/lib/core/errors";
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

describe("isDatabaseAway", () => {
  it.each([
    { code: "57P01", message: "terminating connection due to administrator command" },
    { code: "53300", message: "sorry, too many clients already" },
    { code: "08006", message: "connection failure" },
    { code: "08007", message: "No standby has confirmed the commit." },
    { code: "57P02", message: "terminating connection because of crash of another server process" },
    { code: "57P03", message: "the database system is starting up" },
    { code: "P2028", message: "Transaction API error: Unable to start a transaction in the given time." },
    { code: "P2034", message: "Transaction failed due to a write conflict or a deadlock." },
    { code: "P2010", message: "Raw query failed. Code: `40P01`. Message: `deadlock detected`" },
    { message: "timeout exceeded when trying to connect" },
    { message: "Connection terminated unexpectedly" },
    { message: "Client has encountered a connection error and is not queryable" },
    { message: "Query read timeout" },
    { message: "Client was closed and is not queryable" },
    { message: "Server has closed the connection." },
    { message: "timeout expired" },
    { code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND database" },
    { code: "25006", message: "cannot execute INSERT in a read-only transaction" },
    { code: "ENOENT", message: "connect ENOENT /tmp/x/.s.PGSQL.5432" },
  ])("recognises $code $message", ({ code, message }) => {
    expect(isDatabaseAway(Object.assign(new Error(message), code ? { code } : {}))).toBe(true);
    expect(isDatabaseAway(new Error("wrapped", { cause: Object.assign(new Error(message), { code }) }))).toBe(true);
  });

  it("recognises the driver's error in Prisma's", () => {
    const driverAdapterError = { name: "DriverAdapterError", cause: { kind: "postgres", code: "57P03" } };
    expect(
      isDatabaseAway(Object.assign(new Error("Database error."), { code: "P2039", meta: { driverAdapterError } })),
    ).toBe(true);
  });

  it.each([
    new Error("boom"),
    new ApiError("conflict"),
    Object.assign(new Error("x"), { code: "23505" }),
    "text",
    null,
  ])("does not recognise %s", (error) => expect(isDatabaseAway(error)).toBe(false));
});

it("lists a route's methods for an unsupported one", async () => {
  const route = methods({ method: "PUT", serve: () => ({ status: 200, headers: {}, body: "ok" }) });
  const context = { params: Promise.resolve({}) };
  const refused = await route.GET(request("GET"), context);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "PUT"]);
  expect((await route.OPTIONS(request("OPTIONS"), context)).headers.get("allow")).toBe("PUT");
});
