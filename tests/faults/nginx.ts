import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/tests/support/launch";

/** The configuration in docs/operations.md, for these servers and without TLS. */
function documented(ports: number[], listen: number): string {
  const [, block = ""] = /```nginx\n([\s\S]*?)```/.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  return block
    .replace("127.0.0.1:3000", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[1]}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${listen}`)
    .replace(/^ *ssl_.*\n/gm, "");
}

/** Starts nginx with the documented configuration. */
export async function startNginx(ports: number[]) {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-nginx-"));
  chmodSync(folder, 0o755); // started as root, its workers run as another user
  const listen = await freePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${paths.join(" ")} ${documented(ports, listen)} }`,
  );
  const nginx = spawn("nginx", ["-c", file], { stdio: "inherit" });
  const url = `http://127.0.0.1:${listen}`;
  while (nginx.exitCode === null && !(await fetch(`${url}/healthz`).catch(() => null))) await sleep(50);
  return {
    url,
    stop: async () => {
      const ended = once(nginx, "exit");
      nginx.kill("SIGTERM");
      await ended;
      const errors = readFileSync(join(folder, "error.log"), "utf8").split("\n");
      for (const line of errors.filter((line) => /no live|prematurely|reset/.test(line)).slice(0, 5))
        console.error(line);
      rmSync(folder, { recursive: true });
    },
  };
}
