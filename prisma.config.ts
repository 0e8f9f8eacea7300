import { defineConfig } from "prisma/config";

// Paydesk needs the CLI for `prisma generate` alone: server/migrate.ts applies the migrations. DATABASE_URL is for
// `prisma migrate status` and `prisma migrate deploy`, which work on the same folder and history.
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
