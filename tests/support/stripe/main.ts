import { startStripeFake } from "./fake";

// Runs the fake as a process, for manual use: npx tsx tests/support/stripe/main.ts [port]
const fake = await startStripeFake({ port: Number(process.argv[2] ?? 0) });
const { id, secretKey } = fake.account();
console.log(`address     ${fake.url}\naccount     ${id}\nsecret key  ${secretKey}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void fake.close());
