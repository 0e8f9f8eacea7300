import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./launch";

export const hasNginx = () => spawnSync("nginx", ["-v"]).status === 0;

const shipped = (name: string) => readFileSync(join("deploy/nginx", name), "utf8");

/** deploy/nginx for these servers, ports and this folder. */
function configuration(servers: number[], ports: { http: number; https: number }, folder: string): string {
  const upstream = shipped("upstream.conf")
    .replace("127.0.0.1:3000", `127.0.0.1:${servers[0]}`)
    .replace("127.0.0.1:3001", `127.0.0.1:${servers[1] ?? servers[0]}`);
  const site = shipped("paydesk.conf")
    .replace("listen 80;", `listen 127.0.0.1:${ports.http};`)
    .replace("listen 443 ", `listen 127.0.0.1:${ports.https} `)
    .replace(/^ *listen \[::\].*\n/gm, "")
    .replaceAll("/etc/paydesk/tls", folder)
    .replaceAll("/var/log/nginx", folder);
  return `${upstream}\n${site}`;
}

function makeCertificate(folder: string): void {
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files], {
    stdio: "ignore",
  });
}

/**
 * Starts nginx with deploy/nginx before two servers.
 * @param servers their ports
 * @param options.tls false: without encryption, for load that knows no certificate
 */
export async function startNginx(servers: number[], { tls = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-nginx-"));
  chmodSync(folder, 0o755); // started as root, its workers run as another user
  makeCertificate(folder);
  const [http, https] = [await freePort(), await freePort()];
  const site = configuration(servers, { http, https }, folder);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/start.log;
     events {} http { ${paths.join(" ")} ${tls ? site : site.replace(" ssl http2;", ";").replace(/^ *ssl_.*\n/gm, "")} }`,
  );
  const checked = spawnSync("nginx", ["-t", "-c", file], { encoding: "utf8" });
  if (checked.status !== 0) throw new Error(checked.stderr);
  const nginx = spawn("nginx", ["-c", file], { stdio: "inherit" });
  const plain = `http://127.0.0.1:${http}`;
  const answers = () =>
    fetch(plain, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
  while (nginx.exitCode === null && !(await answers())) await sleep(50);
  const log = () => readFileSync(join(folder, "error.log"), "utf8");
  return {
    /** Where Paydesk answers. */
    url: `${tls ? "https" : "http"}://127.0.0.1:${https}`,
    /** Where nginx sends to https. */
    plain,
    certificate: readFileSync(join(folder, "fullchain.pem"), "utf8"),
    accessLog: () => readFileSync(join(folder, "access.log"), "utf8"),
    errorLog: log,
    stop: async () => {
      const ended = once(nginx, "exit");
      nginx.kill("SIGTERM");
      await ended;
      const errors = log().split("\n");
      for (const line of errors.filter((line) => /no live|prematurely|reset/.test(line)).slice(0, 5))
        console.error(line);
      rmSync(folder, { recursive: true });
    },
  };
}
