import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/core/db";
import { disconnect } from "@/lib/core/disconnect";
import { newId } from "@/lib/core/id";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { freePort } from "@/tests/support/launch";
import { until } from "@/tests/support/receiver";
import startServer from "@/tests/support/server";
import { createStaff } from "@/tests/support/sign-in";
import { notRun } from "./listed";
import { codeSpans, commandsOf, documents, root, type Span } from "./markdown";

const run = promisify(execFile);

// The books of a whole database are added up, so it holds nothing but what these tests and the commands make.
let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await startServer();
});
afterAll(async () => {
  await disconnect();
  await stop();
});

/** An example's dates lie in the future when it is written; later the tests move all of them by whole years. */
const years = Math.max(0, new Date().getFullYear() - 2026);
const inFuture = (text: string) => text.replace(/\b20\d\d(?=-\d\d-\d\d)/g, (year) => String(Number(year) + years));

/** A shell line without what comes before the program: PORT=3001 DATA_DIR=.data2. */
const withoutSettings = (command: string) => command.replace(/^(?:[A-Z][A-Z_]*=\S+\s+)+/, "");
const isAssignment = (command: string) => /^(export )?[A-Z][A-Z_]*=\S*$/.test(command);
const reasonNotToRun = (command: string) =>
  Object.keys(notRun).find((begin) => withoutSettings(command).startsWith(begin));

/** Everything that documents ask their reader to type: shell blocks, indented commands, and npm commands in the text. */
const commands: Span[] = documents.flatMap((document) => [
  ...document.blocks
    .filter(({ language, lines }) => language === "sh" || (language === "" && /^(npm|curl) /.test(lines[0] ?? "")))
    .flatMap((block) => commandsOf(block).map((text) => ({ where: block.where, text }))),
  ...codeSpans(document).filter(({ text }) => /^npm (start|test|run)\b/.test(withoutSettings(text))),
]);

/** Those of the tour speak to the API with a key, one after the other, and use what the ones before have answered. */
const isOfTour = ({ text }: Span) => /\$API\b|^npm run -s receive /.test(text);
const isProbe = ({ text }: Span) => /^curl .*http:\/\/localhost:\d+\/\w+$/.test(text);
const isOneShot = ({ text }: Span) =>
  /^npm run -s (api-key|books|gateway|invitation-link|reseal|reset-password|test-clock|verify-email)\b/.test(
    withoutSettings(text),
  );

test("every command is run or listed with a reason", () => {
  const unknown = commands
    .filter((one) => !isAssignment(one.text) && !isOfTour(one) && !isProbe(one) && !isOneShot(one))
    .filter(({ text }) => !reasonNotToRun(text))
    .map(({ where, text }) => `${where}: ${text}`);
  expect(unknown, "commands that no test runs; tests/docs/listed.ts is for those that none can run").toEqual([]);
});

test("no reason is left over", () => {
  const used = new Set(commands.map(({ text }) => reasonNotToRun(text)));
  expect(Object.keys(notRun).filter((begin) => !used.has(begin) && !codeNames(begin))).toEqual([]);
});

/** Whether a document names a program in its text, without a whole command. */
const codeNames = (begin: string) =>
  documents.some((document) => codeSpans(document).some(({ text }) => text.startsWith(begin)));

/** A busy machine takes its time to start npm and TypeScript. */
const commandMs = 60_000;
const tourMs = 180_000;

/** Runs a command line as a shell does. @throws Error with what it printed, when it ends with another code than 0 */
async function shell(line: string): Promise<string> {
  try {
    return (await run("bash", ["-c", line], { cwd: root, timeout: commandMs })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${line}\n${stdout}${stderr}`, { cause: error });
  }
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** For bash: in place of npm and scripts/command.mjs, which take longer than a command, starts the program that they would start. */
const directly = `npm() {
  [ "$1 $2" = "run -s" ] || return 127
  case "$3" in
${Object.entries(scripts)
  .flatMap(([name, line]) => {
    const program = /^node scripts\/command\.mjs (\S+)$/.exec(line)?.[1];
    return program ? `    ${name}) local program=dist/command-${program}.mjs ;;` : [];
  })
  .join("\n")}
    *) return 127 ;;
  esac
  shift 3
  [ "$1" = -- ] && shift
  node $program "$@"
}`;

const oneShots = commands.filter((one) => isOneShot(one) && !reasonNotToRun(one.text));
/** One command for each shape: some differ in a value alone. */
const byShape = new Map(
  oneShots.map(({ text }) => [withoutSettings(text).replace(/(--(?:business|email|name|to)) \S+/g, "$1"), text]),
);

/** These run as they are typed: one without options, and one with. */
const asTyped = [/^npm run -s books$/, /^npm run -s api-key -- create /];

test("npm starts two of the commands", () => {
  const lines = [...byShape.values()].map(withoutSettings);
  expect(asTyped.map((line) => lines.filter((text) => line.test(text)).length)).toEqual([1, 1]);
});

test.concurrent.each([...byShape.values()].map(withoutSettings))(
  "%s",
  async (text) => {
    const merchant = await createMerchant();
    const { email } = await createStaff(merchant);
    const invited = { email, role: "viewer", token_hash: email, expires_at: new Date(Date.now() + 3_600_000) };
    await db.invitation.create({ data: { id: newId("inv"), business_id: merchant.businessId, ...invited } });
    const own = text
      .replace(/--business \d+/, `--business ${merchant.businessId}`)
      .replace(/--email \S+/, `--email ${email}`);
    await shell(asTyped.some((line) => line.test(text)) ? inFuture(own) : `${directly}\n${inFuture(own)}`);
  },
  commandMs,
);

test.each(commands.filter(isProbe))(
  "$text",
  async ({ text }) => {
    await shell(text.replace(/http:\/\/localhost:\d+/, baseUrl()));
  },
  commandMs,
);

interface Answer {
  success: boolean;
  data: Record<string, unknown> & { _id: string; payment_links?: { paid: boolean }[] };
}

/** A reader who types a document's commands in order, puts in the ids that were answered, and opens the pages in between. */
class Reader {
  /** What the document leaves open, by how it writes it: pl_..., whsec_... */
  private readonly known = new Map<string, string>();
  /** An answer that is no success ends the tour with its text. */
  private readonly assignments = ['curl() { command curl --silent --show-error --fail-with-body "$@"; }'];
  private last: Answer["data"] | null = null;
  private createLink = "";

  constructor(
    key: string,
    readonly port: number,
  ) {
    this.known.set("sk_test_...", key);
  }

  private fill(text: string): string {
    return inFuture(text)
      .replace(/http:\/\/localhost:3000\b/g, baseUrl())
      .replace(/\b4010\b/g, String(this.port))
      .replace(/\b[a-z]+_(?:test_)?\.\.\./g, (open) => this.known.get(open) ?? open)
      .replace(/"token":"\.\.\."/, `"token":"${this.known.get("token")}"`);
  }

  private async ask(line: string): Promise<Answer["data"] | null> {
    const printed = await shell([...this.assignments, this.fill(line)].join("\n"));
    if (!printed.startsWith("{")) return null;
    const { success, data } = JSON.parse(printed) as Answer;
    expect([line, success]).toEqual([line, true]);
    const prefix = /^[a-z]+_/.exec(String(data._id))?.[0];
    if (prefix) this.known.set(`${prefix}...`, data._id);
    if (data.token) this.known.set("token", String(data.token));
    if (data.secret) this.known.set("whsec_...", String(data.secret));
    return data;
  }

  /** Creates another link with the document's own command, and pays it as its payer. */
  async sell(): Promise<void> {
    this.last = await this.ask(this.createLink);
    await this.pay();
  }

  private async pay(): Promise<void> {
    if (this.last?.paid === true) return;
    const { pathname, search } = new URL(String(this.last?.payment_url));
    expect((await payAt(pathname + search)).status).toBe(303);
  }

  async type(line: string): Promise<void> {
    if (isAssignment(line)) {
      this.assignments.push(this.fill(line));
      return;
    }
    if (/\/payment-links .* -d /.test(line)) this.createLink = line;
    const reads = !/ -d /.test(line);
    if (/\/payment-links\/pl_\.\.\./.test(line) && reads) await this.pay();
    if (line.includes("/charge ")) await this.ask(this.createLink);
    const data = await this.ask(line);
    if (line.includes("/charge ")) expect(await this.ask(line)).toEqual(data);
    if (line.includes("/charge ") || (/\/payment-links\/pl_\.\.\./.test(line) && reads))
      expect([line, data?.paid]).toEqual([line, true]);
    if (data?.payment_url) this.last = data;
    if (data?.activation_url) await saveCardAt(new URL(String(data.activation_url)).pathname);
    if (/\/subscriptions\/sub_\.\.\./.test(line) && reads) {
      expect(data?.payment_links?.length).toBeGreaterThan(0);
      expect(data?.payment_links?.every(({ paid }) => paid)).toBe(true);
    }
  }

  /** Starts the receiver, and sells until it prints what has happened. */
  async receive(line: string): Promise<void> {
    const receiver: ChildProcess = spawn("bash", ["-c", this.fill(line)], {
      cwd: root,
      detached: true,
    });
    let printed = "";
    receiver.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
    try {
      await until("the receiver", () => printed.includes("Listening"), 30);
      await this.sell();
      await until("the event", () => printed.includes("payment_link.paid"), 30);
    } finally {
      if (receiver.pid && receiver.exitCode === null) {
        const ended = once(receiver, "exit");
        process.kill(-receiver.pid, "SIGINT"); // as Ctrl-C: the shell, npm and the receiver
        await ended;
      }
    }
  }
}

const tours = documents.flatMap(({ path, blocks }) => {
  const lines = blocks.filter(({ language }) => language === "sh").flatMap(commandsOf);
  return lines.some((line) => line.includes("$API")) ? [{ path, lines }] : [];
});

test("the README has a tour", () => expect(tours.map(({ path }) => path)).toContain("README.md"));

test.each(tours)(
  "the tour of $path",
  async ({ lines }) => {
    const { key } = await createMerchant();
    const reader = new Reader(key, await freePort());
    for (const line of lines) {
      if (line.startsWith("npm run -s receive ")) await reader.receive(line);
      else if (isAssignment(line) || line.includes("$API")) await reader.type(line);
    }
  },
  tourMs,
);
