import { defineConfig } from "prisma/config";

// Migrations are applied by server/migrate.ts. The CLI is used for `prisma generate` alone, which needs no database.
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
});
