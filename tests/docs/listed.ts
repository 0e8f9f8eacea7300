/** Commands of the documents that their test does not run, by their first words, and why. */
export const notRun: Record<string, string> = {
  "npm start": "A server for good: tests start the same build.",
  "npm run web": "A server for good: tests/costs starts it.",
  "npm run worker": "A server for good: tests/api/processes.test.ts starts it.",
  "npm run dev": "A server for good.",
  "npm test": "It runs this very test.",
  "npm run check": "npm test runs the same checks.",
  "npm run build": "Each run of tests begins with it.",
  "npm run bench": "npm test runs it with --check.",
  "npm run test:faults": "It takes an hour: npm test runs each fault with small numbers.",
  "npm run screenshots": "It makes pictures to look at.",
  "npm run migration": "It writes files into prisma/.",
  "npm run -s gateway -- connect":
    "It asks for a key of Stripe: tests/api/gateway-command.test.ts runs it against a stand-in.",
  openssl: "A tool of the system.",
  createdb: "A tool of PostgreSQL.",
  pg_dump: "A tool of PostgreSQL.",
  pg_restore: "A tool of PostgreSQL.",
  psql: "A tool of PostgreSQL.",
  "git pull": "It changes the checkout.",
};
