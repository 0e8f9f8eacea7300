import { expect, it, vi } from "vitest";
import { startJobs } from "@/server/jobs";

const { findHold, startWorker } = vi.hoisted(() => ({ findHold: vi.fn(), startWorker: vi.fn() }));
vi.mock("@/server/hold", () => ({ findHold }));
vi.mock("@/server/queue-worker", () => ({ startWorker }));
vi.mock("@/lib/outbox/webhooks/deliver", () => ({ startDeliveries: () => async () => undefined }));
vi.mock("@/lib/outbox/mail/send", () => ({ startMails: () => async () => undefined }));
vi.mock("@/lib/ledger/compare", async (original) => ({
  ...(await original()),
  compareAccounts: async () => undefined,
}));
vi.mock("@/lib/ledger/sums", async (original) => ({ ...(await original()), moveChanges: async () => false }));

it("starts the jobs of a released database although the first try fails", async () => {
  process.env.MAX_POLL_MS = "500";
  findHold.mockResolvedValueOnce({ backup_at: new Date(), restored_at: new Date() }).mockResolvedValue(null);
  const stopWorker = vi.fn(async () => undefined);
  startWorker.mockRejectedValueOnce(new Error("the database is away")).mockResolvedValue(stopWorker);
  const stop = await startJobs("http://localhost:9");
  await expect.poll(() => startWorker.mock.calls.length, { timeout: 5_000 }).toBe(2);
  await stop();
  expect(stopWorker).toHaveBeenCalledOnce();
});
