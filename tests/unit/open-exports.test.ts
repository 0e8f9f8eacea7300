import { expect, it } from "vitest";
import { openExport } from "@/lib/http/open-exports";

const tenant = (businessId: number) => ({ businessId, livemode: false });

async function* parts() {
  yield "a";
  yield "b";
}
const made = async () => parts();
const readAll = async (file: AsyncIterable<string>): Promise<string> => {
  let text = "";
  for await (const part of file) text += part;
  return text;
};

it("allows a business two open exports, until they are read or given up", async () => {
  const [first, second] = [await openExport(tenant(1), made), await openExport(tenant(1), made)];
  await expect(openExport(tenant(1), made)).rejects.toMatchObject({ status: 429, headers: { "Retry-After": "10" } });
  await openExport(tenant(2), made);
  expect(await readAll(first)).toBe("ab");
  const third = await openExport(tenant(1), made);
  for await (const part of second) if (part === "a") break;
  await openExport(tenant(1), made);
  await expect(openExport(tenant(1), made)).rejects.toMatchObject({ status: 429 });
  expect(await readAll(third)).toBe("ab");
});

it("does not count one that fails", async () => {
  const fail = () => Promise.reject(new Error("no"));
  for (let i = 0; i < 3; i++) await expect(openExport(tenant(3), fail)).rejects.toThrow("no");
  const breaks = async () =>
    (async function* () {
      yield "a";
      throw new Error("broken");
    })();
  for (let i = 0; i < 3; i++) await expect(readAll(await openExport(tenant(3), breaks))).rejects.toThrow("broken");
});
