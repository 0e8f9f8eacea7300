import { type Db, db } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ValidationError } from "@/lib/core/errors";
import { verifyPassword } from "./password";

/** PASSWORD_HISTORY counts the current password. */
const formerCount = (): number => env().PASSWORD_HISTORY - 1;

const newestFirst = { replaced_at: "desc" } as const;

/** @throws ValidationError if the password is one of the person's last PASSWORD_HISTORY ones */
export async function assertNewPassword(userId: string, currentHash: string, password: string): Promise<void> {
  const where = { user_id: userId };
  const former = await db.formerPassword.findMany({ where, orderBy: newestFirst, take: formerCount() });
  const hashes = [currentHash, ...former.map(({ password_hash }) => password_hash)];
  for (const hash of hashes)
    if (await verifyPassword(hash, password))
      throw new ValidationError({ password: ["You have used this password before. Choose a new one."] });
}

/** Remembers a replaced password, in the transaction of the change, and forgets those that may be used again. */
export async function keepFormerPassword(tx: Db, userId: string, replacedHash: string): Promise<void> {
  await tx.formerPassword.createMany({
    data: { user_id: userId, password_hash: replacedHash },
    skipDuplicates: true,
  });
  const old = await tx.formerPassword.findMany({
    where: { user_id: userId },
    orderBy: newestFirst,
    skip: formerCount(),
    select: { password_hash: true },
  });
  const hashes = old.map(({ password_hash }) => password_hash);
  if (hashes.length > 0)
    await tx.formerPassword.deleteMany({ where: { user_id: userId, password_hash: { in: hashes } } });
}
