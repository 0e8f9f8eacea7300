import { hashOldRecoveryCodes, sealContext as sealContextOfUser } from "@/lib/auth/two-factor";
import { type Db, db, execute, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { reseal } from "@/lib/core/secrets";
import { sealContext as sealContextOfAccount } from "@/lib/gateways/accounts";
import { sealContext as sealContextOfMail } from "@/lib/outbox/mail/enqueue";
import { sealContext as sealContextOfEndpoint } from "@/lib/outbox/webhooks/sign";
import { sealContextOf as sealContextOfToken, sealToken } from "@/lib/resources/tokenizations/resource";

const batchSize = 500;

interface SealedColumn {
  what: string;
  context(id: string): string;
  /** The next rows with `id` and `sealed`, in the order of their ids. */
  page(after: string): Prisma.Sql;
  /** Writes `sealed` into each row whose value is still `was`. */
  write(rows: Prisma.Sql): Prisma.Sql;
}

/**
 * Every column with values of lib/core/secrets.ts, except the stored responses of an Idempotency-Key: those, and the sessions'
 * cookies, end within a day.
 */
const sealedColumns: SealedColumn[] = [
  {
    what: "keys of gateway accounts",
    context: sealContextOfAccount,
    page: (after) => Prisma.sql`
      SELECT id, secrets AS sealed FROM gateway_account WHERE id > ${after} ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE gateway_account t SET secrets = r.sealed FROM ${rows} AS r WHERE t.id = r.id AND t.secrets = r.was`,
  },
  {
    what: "webhook secrets",
    context: sealContextOfEndpoint,
    page: (after) => Prisma.sql`
      SELECT id, secret AS sealed FROM webhook_endpoint WHERE id > ${after} ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE webhook_endpoint t SET secret = r.sealed FROM ${rows} AS r WHERE t.id = r.id AND t.secret = r.was`,
  },
  {
    what: "replaced webhook secrets",
    context: sealContextOfEndpoint,
    page: (after) => Prisma.sql`
      SELECT id, previous_secret AS sealed FROM webhook_endpoint
       WHERE id > ${after} AND previous_secret IS NOT NULL ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE webhook_endpoint t SET previous_secret = r.sealed FROM ${rows} AS r
       WHERE t.id = r.id AND t.previous_secret = r.was`,
  },
  {
    what: "secrets of second factors",
    context: sealContextOfUser,
    page: (after) => Prisma.sql`
      SELECT id, two_factor_secret AS sealed FROM staff_user
       WHERE id > ${after} AND two_factor_secret IS NOT NULL ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE staff_user t SET two_factor_secret = r.sealed FROM ${rows} AS r
       WHERE t.id = r.id AND t.two_factor_secret = r.was`,
  },
  {
    what: "tokens of tokenizations",
    context: (id) => sealContextOfToken({ id }),
    page: (after) => Prisma.sql`
      SELECT id, sealed_token AS sealed FROM tokenization
       WHERE id > ${after} AND sealed_token IS NOT NULL ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE tokenization t SET sealed_token = r.sealed FROM ${rows} AS r WHERE t.id = r.id AND t.sealed_token = r.was`,
  },
  {
    what: "queued mails with a secret link",
    context: sealContextOfMail,
    page: (after) => Prisma.sql`
      SELECT id, props->>'sealed' AS sealed FROM email
       WHERE id > ${after} AND status = 'queued' AND staff AND props ? 'sealed' ORDER BY id LIMIT ${batchSize}::int`,
    write: (rows) => Prisma.sql`
      UPDATE email t SET props = jsonb_build_object('sealed', r.sealed) FROM ${rows} AS r
       WHERE t.id = r.id AND t.props->>'sealed' = r.was`,
  },
];

/** How a secret is stored is no change of its row: updated_at stays in this transaction. */
const keepUpdatedAt = (tx: Db) => execute(tx, Prisma.sql`SELECT set_config('paydesk.keep_updated_at', 'yes', true)`);

interface Resealed {
  what: string;
  count: number;
  /** The rows whose value neither APP_SECRET nor APP_SECRET_PREVIOUS decrypts. */
  lost: string[];
}

/**
 * Encrypts with APP_SECRET every value that APP_SECRET_PREVIOUS encrypted. It may be repeated, and run while servers run.
 */
export async function resealAll(): Promise<Resealed[]> {
  await sealOldTokens();
  const done: Resealed[] = [];
  for (const column of sealedColumns) done.push(await resealColumn(column));
  return done;
}

async function resealColumn({ what, context, page, write }: SealedColumn): Promise<Resealed> {
  const lost: string[] = [];
  let count = 0;
  let rows: { id: string; sealed: string }[] = [];
  do {
    rows = await queryRows(db, page(rows.at(-1)?.id ?? ""));
    const renewed = rows.flatMap(({ id, sealed: was }) => {
      try {
        const sealed = reseal(was, context(id));
        return sealed === null ? [] : [{ id, was, sealed }];
      } catch {
        lost.push(id);
        return [];
      }
    });
    if (renewed.length > 0)
      count += await transaction(db, async (tx) => {
        await keepUpdatedAt(tx);
        return execute(tx, write(rowsOf(renewed, Prisma.sql`id text, was text, sealed text`)));
      });
  } while (rows.length === batchSize);
  return { what, count, lost };
}

/**
 * Encrypts the plain tokens of tokenizations, and hashes the plain digests of recovery codes, that older rows still have
 * (docs/decisions/0044-secrets-at-rest.md).
 */
export async function sealOldRows(stopping?: AbortSignal): Promise<void> {
  await sealOldTokens(stopping);
  let person: string | null = "";
  while (person !== null && !stopping?.aborted) person = await hashOldRecoveryCodes(person);
}

async function sealOldTokens(stopping?: AbortSignal): Promise<void> {
  let old: { id: string; token: string }[] = [];
  do {
    const after = old.at(-1)?.token ?? "";
    old = await transaction(db, async (tx) => {
      // Follows the index on `token`, where encrypted rows have NULL. Skips locked rows: the next run encrypts them.
      const rows = await queryRows<{ id: string; token: string }>(
        tx,
        Prisma.sql`
        SELECT id, token FROM tokenization WHERE token > ${after} ORDER BY token LIMIT ${batchSize}::int
           FOR UPDATE SKIP LOCKED`,
      );
      if (rows.length === 0) return rows;
      const sealed = rows.map(({ id, token }) => ({ id, ...sealToken(id, token) }));
      await keepUpdatedAt(tx);
      await execute(
        tx,
        Prisma.sql`
        UPDATE tokenization t SET token = NULL, sealed_token = r.sealed_token, token_hash = r.token_hash
          FROM ${rowsOf(sealed, Prisma.sql`id text, sealed_token text, token_hash text`)} AS r WHERE t.id = r.id`,
      );
      return rows;
    });
  } while (old.length > 0 && !stopping?.aborted);
}
