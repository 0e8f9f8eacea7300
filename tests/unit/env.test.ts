import { describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/core/env";

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

  it("names every bad variable at once, without its value", () => {
    const bad = { PORT: "http", DEMO: "yes", DATABASE_URL: "mysql://user:hunter2@h/d", APP_SECRET: "hunter2" };
    expect(() => parseEnv(bad)).toThrow(
      /PORT must be a whole number[\s\S]*DATABASE_URL must[\s\S]*APP_SECRET must[\s\S]*DEMO must/,
    );
    expect(() => parseEnv(bad)).not.toThrow(/hunter2/);
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
