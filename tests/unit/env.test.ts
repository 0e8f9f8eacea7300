import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportSecrets, parseEnv, secretSettings } from "@/lib/core/env";

describe("parseEnv", () => {
  it("has a default for everything", () => {
    expect(parseEnv({})).toMatchObject({ PORT: 3000, HOST: "localhost", DEMO: "1", APP_URL: "http://localhost:3000" });
    expect(parseEnv({ PORT: "4000", DEMO: "", APP_URL: "" })).toMatchObject({
      DEMO: "1",
      APP_URL: "http://localhost:4000",
    });
    expect(parseEnv({ DEMO: "empty" }).DEMO).toBe("empty");
    expect(parseEnv({ APP_URL: "https://pay.example/" }).APP_URL).toBe("https://pay.example");
  });

  it("allows webhooks to localhost and registration only where HOST and APP_URL are this machine", () => {
    const defaults = (source: Record<string, string>) => {
      const { WEBHOOKS_ALLOW_LOCALHOST, REGISTRATION } = parseEnv(source);
      return [WEBHOOKS_ALLOW_LOCALHOST, REGISTRATION];
    };
    const local: Record<string, string>[] = [
      {},
      { HOST: "127.0.0.1" },
      { HOST: "::1" },
      { APP_URL: "http://127.0.0.1:3000" },
      { APP_URL: "http://[::1]:3000" },
    ];
    const open: Record<string, string>[] = [
      ...["0.0.0.0", "::", "192.0.2.2", "desk.example"].map((HOST) => ({ HOST })),
      ...["https://pay.example", "http://10.0.0.5", "https://localhost.example"].map((APP_URL) => ({ APP_URL })),
    ];
    expect(local.map(defaults)).toEqual(local.map(() => [true, "open"]));
    expect(open.map(defaults)).toEqual(open.map(() => [false, "closed"]));
  });

  it("allows both, or neither, by explicit settings", () => {
    const allow = { WEBHOOKS_ALLOW_LOCALHOST: "1", REGISTRATION: "open" };
    expect(parseEnv({ HOST: "0.0.0.0", ...allow })).toMatchObject({ ...allow, WEBHOOKS_ALLOW_LOCALHOST: true });
    const refuse = { WEBHOOKS_ALLOW_LOCALHOST: "0", REGISTRATION: "closed" };
    expect(parseEnv(refuse)).toMatchObject({ ...refuse, WEBHOOKS_ALLOW_LOCALHOST: false });
    expect(() => parseEnv({ REGISTRATION: "maybe" })).toThrow("REGISTRATION must be open or closed");
  });

  it("has one role for the database and a plain user unless configured otherwise", () => {
    expect([parseEnv({}).DATABASE_MIGRATE_URL, parseEnv({}).RUN_AS]).toEqual([undefined, undefined]);
    expect(() => parseEnv({ DATABASE_MIGRATE_URL: "mysql://h/d" })).toThrow("DATABASE_MIGRATE_URL must be");
    expect(() => parseEnv({ RUN_AS: "pay desk" })).toThrow("RUN_AS must be a user's name");
  });

  it("takes an address without the pooler only beside another one with it", () => {
    const [pooled, direct] = ["postgresql://h:6432/d", "postgresql://h:5432/d"];
    expect(parseEnv({ DATABASE_URL: pooled, DATABASE_URL_DIRECT: direct }).DATABASE_URL_DIRECT).toBe(direct);
    for (const DATABASE_URL of [undefined, direct])
      expect(() => parseEnv({ DATABASE_URL, DATABASE_URL_DIRECT: direct })).toThrow("DATABASE_URL_DIRECT must be");
  });

  it("keeps requests, attempts, deliveries and mails for a time, at least as long as it promises", () => {
    const [requests, attempts, deliveries, mails] = [
      "RETENTION_REQUESTS_DAYS",
      "RETENTION_ATTEMPTS_DAYS",
      "RETENTION_DELIVERIES_DAYS",
      "RETENTION_MAILS_DAYS",
    ] as const;
    expect(parseEnv({})).toMatchObject({ [requests]: 7, [attempts]: 30, [deliveries]: 36_500, [mails]: 36_500 });
    expect(parseEnv({ [mails]: "400" })).toMatchObject({ [mails]: 400 });
    expect(() => parseEnv({ [requests]: "6", [attempts]: "29", [deliveries]: "89", [mails]: "399" })).toThrow(
      /REQUESTS_DAYS must be between 7 and[\s\S]*ATTEMPTS_DAYS must be between 30 and[\s\S]*DELIVERIES_DAYS must be between 90 and[\s\S]*MAILS_DAYS must be between 400 and/,
    );
  });

  it("names every bad variable at once, without its value", () => {
    const bad = { PORT: "http", DEMO: "yes", DATABASE_URL: "mysql://user:hunter2@h/d", APP_SECRET: "hunter2" };
    expect(() => parseEnv(bad)).toThrow(
      /PORT must be a whole number[\s\S]*DATABASE_URL must[\s\S]*APP_SECRET must[\s\S]*DEMO must/,
    );
    expect(() => parseEnv(bad)).not.toThrow(/hunter2/);
  });

  it("names a database address that the driver cannot read, and a certificate file, without the value", () => {
    const bad = ["u:hunter2@h:port/d", "u:hunter/2@h:1/d", "u:hunter2#x@h/d", "u:hunter2@h:99999/d", "u:%ff@h/d"];
    for (const name of ["DATABASE_URL", "DATABASE_MIGRATE_URL"])
      for (const rest of bad) {
        const parse = () => parseEnv({ [name]: `postgresql://${rest}` });
        expect(parse).toThrow(`${name} must be a postgresql:// address`);
        expect(parse).not.toThrow(/hunter/);
      }
    const certificate = "postgresql://u:hunter2@h/d?sslrootcert=/none.pem";
    expect(() => parseEnv({ DATABASE_URL: certificate })).toThrow(
      /^.*\n {2}DATABASE_URL names a file that cannot be read: ENOENT$/,
    );
    for (const good of ["u:p%20%2F@h/d", "/d?host=/tmp/socket", "u@/d?host=/tmp", "u@%2Ftmp/d", "u@[::1]:5432/d"])
      expect(parseEnv({ DATABASE_URL: `postgresql://${good}` }).DATABASE_URL).toContain(good);
  });

  it.each([
    "https://x.example/sub",
    "https://x.example/?q=1",
    "https://x.example/#h",
    "https://u@x.example",
    "ftp://x.example",
    "x",
  ])("refuses the address %s", (APP_URL) => expect(() => parseEnv({ APP_URL })).toThrow("APP_URL must be"));

  it.each(["0", "65536", "-1", "3000.5", "3e3"])("refuses the port %s", (PORT) => {
    expect(() => parseEnv({ PORT })).toThrow("PORT must");
  });

  it("drains for 5 seconds, within the 15 that a stop takes", () => {
    expect([parseEnv({}), parseEnv({ DRAIN_SECONDS: "0" })].map((env) => env.DRAIN_SECONDS)).toEqual([5, 0]);
    expect(() => parseEnv({ DRAIN_SECONDS: "15" })).toThrow("DRAIN_SECONDS must be between 0 and 14");
  });

  it.each(["mail.example", "http://mail.example", "smtp://", "smtp:// x"])("refuses the mail server %s", (SMTP_URL) => {
    expect(() => parseEnv({ SMTP_URL, MAIL_FROM: "desk@paydesk.example" })).toThrow("SMTP_URL must be");
  });

  it("limits attempts of live mode by default to 6 a minute and 20 an hour", () => {
    expect(parseEnv({ ADDRESS_DECLINES_PER_HOUR: "50" })).toMatchObject({
      ...{ LINK_ATTEMPTS_PER_MINUTE: 6, LINK_ATTEMPTS_PER_HOUR: 20 },
      ...{ ADDRESS_DECLINES_PER_MINUTE: 6, ADDRESS_DECLINES_PER_HOUR: 50 },
    });
    expect(() => parseEnv({ LINK_ATTEMPTS_PER_MINUTE: "0" })).toThrow("LINK_ATTEMPTS_PER_MINUTE must be");
  });

  it("locks after ten attempts for 30 minutes, and remembers four passwords, unless configured otherwise", () => {
    expect(parseEnv({})).toMatchObject({ LOCKOUT_ATTEMPTS: 10, LOCKOUT_MINUTES: 30, PASSWORD_HISTORY: 4 });
    expect(() => parseEnv({ LOCKOUT_ATTEMPTS: "11" })).toThrow("LOCKOUT_ATTEMPTS must be between 1 and 10");
    expect(() => parseEnv({ LOCKOUT_MINUTES: "0" })).toThrow("LOCKOUT_MINUTES must be");
    expect(() => parseEnv({ PASSWORD_HISTORY: "25" })).toThrow("PASSWORD_HISTORY must be");
  });

  it("limits failures of an address by default to 60 a minute", () => {
    expect(parseEnv({}).ADDRESS_FAILURES_PER_MINUTE).toBe(60);
    expect(() => parseEnv({ ADDRESS_FAILURES_PER_MINUTE: "0" })).toThrow("ADDRESS_FAILURES_PER_MINUTE must be");
  });

  it("has metrics and traces off by default, and metrics on a port of their own", () => {
    expect(parseEnv({})).toMatchObject({ METRICS_HOST: "localhost", OTEL_TRACES_SAMPLER_ARG: 1 });
    expect([parseEnv({}).METRICS_PORT, parseEnv({}).OTEL_EXPORTER_OTLP_ENDPOINT]).toEqual([undefined, undefined]);
    expect(parseEnv({ METRICS_PORT: "9400", OTEL_TRACES_SAMPLER_ARG: "0.05" })).toMatchObject({
      METRICS_PORT: 9400,
      OTEL_TRACES_SAMPLER_ARG: 0.05,
    });
    expect(() => parseEnv({ METRICS_PORT: "70000" })).toThrow("METRICS_PORT must be");
    expect(() => parseEnv({ PORT: "4000", METRICS_PORT: "4000" })).toThrow(
      "METRICS_PORT must be another port than PORT",
    );
    expect(() => parseEnv({ OTEL_TRACES_SAMPLER_ARG: "1.5" })).toThrow(
      "OTEL_TRACES_SAMPLER_ARG must be between 0 and 1",
    );
    for (const OTEL_EXPORTER_OTLP_ENDPOINT of ["collector:4318", "ftp://c", "http://u:hunter2@c"])
      expect(() => parseEnv({ OTEL_EXPORTER_OTLP_ENDPOINT })).toThrow(
        /OTEL_EXPORTER_OTLP_ENDPOINT must be(?!.*hunter2)/,
      );
  });

  it("requires MAIL_FROM with a mail server", () => {
    const SMTP_URL = "smtps://user:hunter2@mail.example:465";
    expect(() => parseEnv({ SMTP_URL })).toThrow("MAIL_FROM must be set");
    expect(() => parseEnv({ SMTP_URL })).not.toThrow(/hunter2/);
    for (const MAIL_FROM of ["desk", "Desk <desk@paydesk.example>", "a@b.example\r\nBcc: c@d.example"])
      expect(() => parseEnv({ SMTP_URL, MAIL_FROM })).toThrow("MAIL_FROM must be an e-mail address");
    expect(parseEnv({ SMTP_URL, MAIL_FROM: "desk@paydesk.example" })).toMatchObject({ SMTP_URL });
  });

  it("takes a contact for vulnerabilities, and HSTS for subdomains only on request", () => {
    expect(parseEnv({})).toMatchObject({ HSTS_SUBDOMAINS: false });
    for (const SECURITY_CONTACT of ["mailto:security@shop.example", "https://shop.example/security"])
      expect(parseEnv({ SECURITY_CONTACT, HSTS_SUBDOMAINS: "1" })).toMatchObject({
        SECURITY_CONTACT,
        HSTS_SUBDOMAINS: true,
      });
    for (const SECURITY_CONTACT of [
      "security@shop.example",
      "mailto:x",
      "http://shop.example",
      "https://a\nContact: b",
    ])
      expect(() => parseEnv({ SECURITY_CONTACT })).toThrow("SECURITY_CONTACT must be");
  });
});

describe("secrets in files", () => {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-env-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: string) => {
    const path = join(folder, "secret");
    writeFileSync(path, content);
    return path;
  };
  const values: Record<(typeof secretSettings)[number], string> = {
    APP_SECRET: "a".repeat(32),
    APP_SECRET_PREVIOUS: "b".repeat(32),
    DATABASE_URL: "postgresql://user:hunter2@localhost/paydesk",
    DATABASE_URL_DIRECT: "postgresql://user:hunter2@localhost:5432/paydesk",
    DATABASE_MIGRATE_URL: "postgresql://owner:hunter2@localhost/paydesk",
    BACKUP_PASSPHRASE: "correct horse battery",
    SMTP_URL: "smtp://user:hunter2@mail.example",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer hunter2",
  };
  const MAIL_FROM = "desk@paydesk.example";

  it.each(secretSettings)("%s is read from the file that its _FILE names, without the line's end", (name) => {
    const pooler = name === "DATABASE_URL_DIRECT" ? { DATABASE_URL: values.DATABASE_URL } : {};
    const source = { MAIL_FROM, ...pooler, [`${name}_FILE`]: file(`${values[name]}\n`) };
    expect(parseEnv(source)[name]).toBe(values[name]);
    const exported: Record<string, string | undefined> = { ...source };
    exportSecrets(exported, parseEnv(source));
    expect(exported).toEqual({ MAIL_FROM, ...pooler, [name]: values[name] });
  });

  it("names the setting, without its value, if its file cannot be read, stands beside the variable or has a bad value", () => {
    const both = { APP_SECRET: values.APP_SECRET, APP_SECRET_FILE: file("hunter2") };
    expect(() => parseEnv(both)).toThrow("APP_SECRET_FILE must not be set beside APP_SECRET");
    const missing = { DATABASE_URL_FILE: join(folder, "none"), APP_SECRET_FILE: file("hunter2") };
    expect(() => parseEnv(missing)).toThrow(/DATABASE_URL_FILE cannot be read: ENOENT[\s\S]*APP_SECRET must have/);
    expect(() => parseEnv(missing)).not.toThrow(/hunter2/);
  });
});
