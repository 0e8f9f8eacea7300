import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Agent, fetch } from "undici";
import { afterAll, describe, expect, it } from "vitest";
import { variablesOf } from "@/tests/cluster/programs";
import { documents } from "@/tests/docs/markdown";
import { freePort } from "@/tests/support/launch";

const read = (path: string) => readFileSync(path, "utf8");
const has = (program: string, option = "--version") => spawnSync(program, [option]).status === 0;

const units = readdirSync("deploy/systemd")
  .filter((name) => /^paydesk-(web@|worker)\.service$/.test(name))
  .map((name) => `deploy/systemd/${name}`);

const everyUnit = [...units, "deploy/systemd/paydesk-backup.service", "deploy/systemd/paydesk-books.service"];

const optionsOf = (text: string) => text.match(/ --[a-z0-9-]+=\S+| --no-\S+/g)?.map((option) => option.trim());
const mallocOf = (text: string) => text.match(/MALLOC_\w+=\d+/g);

it("starts Node as npm does, in containers and in units", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [options, malloc] = [optionsOf(scripts.web ?? ""), mallocOf(scripts.web ?? "")];
  expect(options?.length).toBeGreaterThan(3);
  const starts = (path: string) =>
    read(path)
      .split("\n")
      .find((line) => /dist\/main\.mjs/.test(line)) ?? "";
  for (const path of [...units, "deploy/container/paydesk.sh"])
    expect([path, optionsOf(starts(path)), mallocOf(read(path))]).toEqual([path, options, malloc]);
});

describe.runIf(has("systemd-analyze"))("the units", () => {
  it.each(everyUnit)("%s is valid", (unit) => {
    const { stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    // Node may be elsewhere on this machine.
    expect(stderr.split("\n").filter((line) => line.includes("paydesk") && !line.includes("/usr/bin/node"))).toEqual(
      [],
    );
  });

  it.each(everyUnit)("%s has an exposure below 2", (unit) => {
    const text = execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], {
      encoding: "utf8",
    });
    expect(Number(/Overall exposure level for \S+: (\d+\.\d)/.exec(text)?.[1])).toBeLessThan(2);
  });
});

describe.runIf(has("haproxy", "-v"))("HAProxy's configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-haproxy-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const socket = join(folder, "admin.sock");
  /** Without a certificate, unless one is given. */
  const addresses = (port: (name: string) => string, certificate?: string): NodeJS.ProcessEnv => {
    const { CERTIFICATE, ...variables } = variablesOf("deploy/cluster/haproxy.env", {
      ADMIN_SOCKET: socket,
      REFUSED: resolve("deploy/cluster/503.http"),
      WEB_LISTEN: port("web"),
      PLAIN_LISTEN: port("plain"),
      POSTGRES_LISTEN: port("postgres"),
    });
    return { ...process.env, ...variables, ...(certificate ? { CERTIFICATE: certificate } : {}) };
  };
  const args = ["-db", "-f", "deploy/cluster/haproxy.cfg"];

  it.each([{}, { KEEP_USER: "1" }])("is valid with %j", (more) => {
    const env = { ...addresses(() => "127.0.0.1:5999"), ...more };
    const { status, stderr } = spawnSync("haproxy", ["-c", ...args], { env, encoding: "utf8" });
    expect([status, stderr.split("\n").filter((line) => /ALERT|WARNING/.test(line))]).toEqual([0, []]);
  });

  it.runIf(process.getuid?.() === 0)("lets it run in an empty folder, as a user of its own", async () => {
    const ports = new Map([
      ["web", await freePort()],
      ["postgres", await freePort()],
    ]);
    const env = addresses((name) => `127.0.0.1:${ports.get(name)}`);
    const child = spawn("haproxy", args, { env, stdio: "ignore" });
    try {
      const root = () => readlinkSync(`/proc/${child.pid}/root`);
      await expect.poll(root, { timeout: 30_000 }).toBe("/var/lib/haproxy");
      const ids = (name: string) =>
        read(`/proc/${child.pid}/status`).match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1];
      const idOf = (option: string) => execFileSync("id", [option, "haproxy"], { encoding: "utf8" }).trim();
      await expect.poll(() => [ids("Uid"), ids("Gid")], { timeout: 30_000 }).toEqual([idOf("-u"), idOf("-g")]);
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
  });

  it.runIf(has("openssl", "version"))("answers https with the certificate, and sends http there", async () => {
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "pay.pem")];
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
        ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
      ],
      { stdio: "ignore" },
    );
    const ca = read(certificate);
    appendFileSync(certificate, read(key));
    const ports: Record<string, number> = {
      web: await freePort(),
      plain: await freePort(),
      postgres: await freePort(),
    };
    const env = { KEEP_USER: "1", ...addresses((name) => `127.0.0.1:${ports[name]}`, certificate) };
    const child = spawn("haproxy", args, { env, stdio: "ignore" });
    const dispatcher = new Agent({ connect: { ca } });
    try {
      // No web process is there.
      const ask = () => fetch(`https://localhost:${ports.web}/pay`, { dispatcher }).catch(() => null);
      await expect.poll(async () => (await ask())?.status, { timeout: 30_000 }).toBe(503);
      expect((await ask())?.headers.get("retry-after")).toBe("1");
      const session = connect(`https://localhost:${ports.web}`, { ca });
      const [headers] = await once(session.request({ ":path": "/pay" }), "response");
      expect([session.alpnProtocol, headers[":status"]]).toEqual(["h2", 503]);
      session.destroy();
      const plain = await fetch(`http://localhost:${ports.plain}/pay?id=pl_1`, { redirect: "manual" });
      expect([plain.status, plain.headers.get("location")]).toEqual([
        308,
        expect.stringMatching(/^https:.*\/pay\?id=pl_1$/),
      ]);
    } finally {
      await dispatcher.close();
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
  });
});

it("starts the backup's bundle, which needs no right to write into a checkout with newer sources", () => {
  expect(read("deploy/systemd/paydesk-backup.service")).toMatch(
    /^ExecStart=\/usr\/bin\/node dist\/command-backup\.mjs /m,
  );
});

it("runs commands with the secrets of the backup's unit, the passphrase only if there is one", () => {
  const credentials = (path: string) => [...read(path).matchAll(/LoadCredential=([\w-]+):/g)].map(([, name]) => name);
  const script = "deploy/systemd/paydesk.sh";
  expect(credentials(script).toSorted()).toEqual(credentials("deploy/systemd/paydesk-backup.service").toSorted());
  expect(execFileSync("sh", ["-n", script], { encoding: "utf8" })).toBe("");
  expect(read(script)).toMatch(/\[ -f "\$passphrase" \] && credential=/);
});

it.each([
  ["deploy/systemd/paydesk.sh", "systemctl start paydesk-backup"],
  ["deploy/container/paydesk.sh", "docker compose -f deploy/compose.yaml run --rm backup"],
])("%s makes no backup in /tmp", (script, command) => {
  // Without a PATH, it finds no program that could make a backup.
  const run = (...args: string[]) =>
    spawnSync("/bin/sh", [script, "backup", ...args], { encoding: "utf8", env: { ...process.env, PATH: "" } }).stderr;
  for (const args of [[], ["--encrypt", "--keep", "14"]]) expect(run(...args)).toContain(`needs --to here`);
  expect(run()).toContain(command);
  for (const args of [["--to", "/mnt"], ["--to=/mnt"], ["--help"]]) expect(run(...args)).not.toContain("needs --to");
});

it("puts the commit that a build is given into the bundles", () => {
  const commitIn = (PAYDESK_COMMIT: string) => {
    const code =
      "const { defines } = await import('./scripts/bundle.mjs'); console.log(defines()['process.env.PAYDESK_COMMIT'])";
    const env = { ...process.env, PAYDESK_COMMIT };
    return execFileSync(process.execPath, ["--input-type=module", "-e", code], { env, encoding: "utf8" }).trim();
  };
  expect(commitIn("0123456789abcdef0123")).toBe('"0123456789ab"');
  expect(commitIn('"; exit')).toMatch(/^"([0-9a-f]{12})?"$/);
});

describe("deploy/compose.yaml", () => {
  const services = new Map(
    read("deploy/compose.yaml")
      .replace(/^[\s\S]*\nservices:\n|\nnetworks:\n[\s\S]*$/g, "")
      .split(/\n(?= {2}\w)/)
      .map((text) => [/^ {2}(\w+):/.exec(text)?.[1] ?? text, text]),
  );

  it("gives every container a read-only root, and no capability that it does not name", () => {
    expect([...services.keys()].filter((name) => !name.includes("#"))).toEqual(
      expect.arrayContaining(["postgres", "worker", "proxy"]),
    );
    for (const name of ["postgres", "proxy"])
      expect(services.get(name)).toMatch(/<<: \*hardened[\s\S]*cap_drop: \[ALL\]/);
    expect(services.get("worker")).toContain("<<: *paydesk");
  });

  it("makes encrypted backups with every secret that its command reads, and a folder that the image gives to its user", () => {
    const backup = services.get("backup") ?? "";
    expect(backup).toMatch(/command: \[backup, --to, \/backups, --encrypt, /);
    const secrets = [...backup.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    expect(secrets).toEqual(["database_migrate_url", "backup_passphrase"]);
    const [, given = ""] = /secrets: \[(.+)\]/.exec(backup) ?? [];
    expect(given.split(", ")).toEqual(expect.arrayContaining([...secrets, "app_secret", "database_url"]));
    const made = read("deploy/container/make-secrets.sh");
    for (const name of given.split(", ")) expect(made, name).toContain(name);
    expect(read("deploy/container/Containerfile")).toContain("install -d -o 10001 -g 10001 -m 0700 /backups");
  });

  it("passes every setting on that it does not set itself", () => {
    const documented = [...read("docs/configuration.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    const settings = /x-settings: &settings\n((?: {2}.*\n)+)/.exec(read("deploy/compose.yaml"))?.[1] ?? "";
    const passed = [...settings.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => String(name).replace(/_FILE$/, ""));
    // The image and the compose file decide these; MAX_POLL_MS is for tests.
    const others = [
      "PORT",
      "HOST",
      "DATA_DIR",
      "RUN_AS",
      "DEMO",
      "MAX_POLL_MS",
      "DATABASE_URL_DIRECT",
      "DATABASE_MIGRATE_URL",
    ];
    const secrets = ["BACKUP_PASSPHRASE"];
    expect(documented.length).toBeGreaterThan(40);
    expect(documented.filter((name) => name && ![...passed, ...others, ...secrets].includes(name))).toEqual([]);
  });

  // Docker reads this file only; Podman reads it too.
  it("keeps secrets and data out of the image's build", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const name of [
      "deploy/.env",
      "deploy/container/secrets",
      "deploy/container/tls",
      ".data*",
      ".git",
      "node_modules",
    ])
      expect(ignored).toContain(name);
    const untracked = read(".gitignore").split("\n");
    for (const name of ["/deploy/.env", "/deploy/container/secrets/", "/deploy/container/tls/"])
      expect(untracked).toContain(name);
  });

  it("has its settings from deploy/.env, which only its user reads and which is kept", () => {
    const folder = mkdtempSync(join(tmpdir(), "paydesk-secrets-"));
    mkdirSync(join(folder, "container"));
    copyFileSync("deploy/container/make-secrets.sh", join(folder, "container/make-secrets.sh"));
    const make = () => execFileSync("sh", [join(folder, "container/make-secrets.sh")]);
    make();
    const settings = join(folder, ".env");
    expect([statSync(settings).mode & 0o777, read(settings)]).toEqual([0o600, expect.stringContaining("# APP_URL=")]);
    appendFileSync(settings, "APP_URL=https://pay.example.com\n");
    make();
    expect(read(settings)).toContain("\nAPP_URL=https://pay.example.com\n");
    rmSync(folder, { recursive: true });
  });

  it("has lines for cron that enter the checkout, and an upgrade that restarts nginx", () => {
    const lines = documents
      .filter(({ path }) => !path.startsWith("docs/decisions/"))
      .flatMap(({ prose, blocks }) => [...prose, ...blocks.flatMap((block) => block.lines)]);
    const ofCron = lines.filter((line) => /^[\d*]+( [\d*]+){4} .*docker compose/.test(line));
    expect(ofCron.length).toBe(2);
    for (const line of ofCron)
      expect(line).toMatch(/^(\S+ ){5}cd \/opt\/paydesk && docker compose -f deploy\/compose\.yaml /);
    expect(lines.filter((line) => /cron.*`docker compose/.test(line))).toEqual([]);
    const upgrade =
      documents.find(({ path }) => path === "docs/installation.md")?.blocks.map((block) => block.lines) ?? [];
    const last = upgrade.find((block) => block.some((line) => /stop web worker/.test(line)))?.at(-1);
    expect(last).toBe("docker compose -f deploy/compose.yaml restart proxy");
  });

  it("publishes ports of the proxy only", () => {
    expect([...services].filter(([, text]) => /^ {4}ports:/m.test(text)).map(([name]) => name)).toEqual(["proxy"]);
  });
});
