import { afterEach, expect, test, vi } from "vitest";
import { call } from "@/lib/client/call";
import { pauseSessionWatch, resumeSession, watchSession } from "@/lib/client/session-end";
import { accountEndpoints } from "@/lib/resources/account/contract";

const me = accountEndpoints.get.example.data;
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const nobody = () => json(401, { message: "Unauthenticated.", code: "unauthenticated" });
const signedIn = () => json(200, { success: true, data: me, errors: null, meta: {} });

function server(answer: () => Response) {
  const asked = vi.fn(async () => answer());
  vi.stubGlobal("fetch", asked);
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  pauseSessionWatch();
});

test("reads wait for the same person to sign in again, then each is sent once more", async () => {
  const asked = server(nobody);
  const ended = vi.fn();
  watchSession(ended);
  const reads = [call(accountEndpoints.get), call(accountEndpoints.get)];
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
  const again = server(signedIn);
  resumeSession();
  expect(await Promise.all(reads)).toEqual([me, me]);
  expect([asked.mock.calls.length, again.mock.calls.length]).toEqual([2, 2]);
});

test("an aborted read ends", async () => {
  server(nobody);
  watchSession(() => undefined);
  const gone = new AbortController();
  const read = call(accountEndpoints.get, { signal: gone.signal });
  await new Promise((resolve) => setTimeout(resolve, 5));
  gone.abort();
  await expect(read).rejects.toThrow("aborted");
});

test("a write is refused, and so is a read when no page watches", async () => {
  server(nobody);
  const ended = vi.fn();
  const stop = watchSession(ended);
  await expect(call(accountEndpoints.update, { body: { name: "Ada" } })).rejects.toMatchObject({ status: 401 });
  expect(ended).toHaveBeenCalledOnce();
  stop();
  await expect(call(accountEndpoints.get)).rejects.toMatchObject({ status: 401 });
  expect(ended).toHaveBeenCalledOnce();
});

test("the sign-in's own calls do not wait", async () => {
  server(nobody);
  const ended = vi.fn();
  watchSession(ended);
  await expect(call(accountEndpoints.get, { anyBusiness: true })).rejects.toMatchObject({ status: 401 });
  expect(ended).not.toHaveBeenCalled();
});
