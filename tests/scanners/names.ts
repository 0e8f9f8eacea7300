import type { Targets } from "./targets";

/** What people forget on servers. */
const forgotten = [
  ...[".env", ".git/config", ".git/HEAD", ".htaccess", ".npmrc", ".DS_Store", ".svn/entries", ".well-known/", "id_rsa"],
  ...[
    "admin",
    "administrator",
    "actuator",
    "backup",
    "cgi-bin",
    "config",
    "console",
    "debug",
    "dump",
    "graphql",
    "health",
  ],
  ...[
    "internal",
    "jenkins",
    "log",
    "logs",
    "manage",
    "metrics",
    "phpinfo",
    "phpmyadmin",
    "private",
    "proxy",
    "root",
    "secret",
  ],
  ...[
    "server-status",
    "shell",
    "status",
    "swagger",
    "sql",
    "temp",
    "test",
    "tmp",
    "trace",
    "upload",
    "uploads",
    "users",
  ],
  ...[
    "wp-admin",
    "wp-login",
    "xmlrpc",
    "package",
    "package-lock",
    "tsconfig",
    "next.config",
    "schema",
    "data",
    "dist",
    "lib",
  ],
  ...[
    "main",
    "index",
    "server",
    "app",
    "node_modules",
    "prisma",
    "messages",
    "readme",
    "README",
    "Dockerfile",
    "_next",
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%ff",
    "%",
    "%2e%2e/",
    "a%0d%0ab",
  ],
];
const endings = ["", "/", ".bak", ".json", ".map", ".mjs", ".old", ".php", ".sql", ".tar.gz", ".txt", ".zip", "~"];

/** Every name in the API's own description, and what people forget on servers with each ending. */
export async function names({ url }: Targets): Promise<string[]> {
  const description = await (await fetch(`${url}/api/openapi.json`)).text();
  const own = new Set(description.match(/[A-Za-z_][\w-]{1,40}/g));
  const files = forgotten.flatMap((name) => endings.map((ending) => name + ending));
  return [...new Set([...own, ...files])];
}
