import { describe, expect, it } from "vitest";
import { createRouter, handlerOf } from "@/server/router";

const paths = [
  "/api/[...path]",
  "/api/payment-links/[id]",
  "/api/payment-links",
  "/api/payment-links/[id]/activate",
  "/pay",
];
const route = createRouter(paths.map((path) => ({ path, module: { GET: () => new Response() } })));
const find = (path: string) => {
  const match = route(path.split("/").slice(1));
  return match && [match.route.path, match.params];
};

describe("createRouter", () => {
  it("prefers a fixed segment to a named one, and a named one to a rest parameter", () => {
    expect(find("/api/payment-links")).toEqual(["/api/payment-links", {}]);
    expect(find("/api/payment-links/pl_1")).toEqual(["/api/payment-links/[id]", { id: "pl_1" }]);
    expect(find("/api/payment-links/pl_1/activate")).toEqual(["/api/payment-links/[id]/activate", { id: "pl_1" }]);
    expect(find("/api/payment-links/pl_1/other")).toEqual([
      "/api/[...path]",
      { path: ["payment-links", "pl_1", "other"] },
    ]);
    expect(find("/api/x")).toEqual(["/api/[...path]", { path: ["x"] }]);
    expect(find("/pay")).toEqual(["/pay", {}]);
  });

  it("leaves unknown paths to the pages", () => {
    expect(find("/")).toBeNull();
    expect(find("/login")).toBeNull();
    expect(find("/pay/more")).toBeNull();
  });
});

it("answers HEAD with GET and no other method", () => {
  const found = { path: "/pay", module: { GET: () => new Response() } };
  expect(handlerOf(found, "HEAD")).toBe(found.module.GET);
  expect(handlerOf(found, "TRACE")).toBeNull();
});
