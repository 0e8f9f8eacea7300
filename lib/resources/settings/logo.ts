import { createHash } from "node:crypto";
import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { bounded } from "@/lib/core/bounded";
import { type Db, db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import type { Brand, LogoFile } from "./brand";
import { maxLogoUploadBytes, type Settings } from "./contract";
import { type Image, maxSide, readImage } from "./image";
import { getSettings, lockSettings } from "./service";

/** Decoding and encoding a large image takes 0.1 s of a thread. */
const inTurn = bounded({ running: 1, waiting: 8 });

/** Sent mails refer to the logo of their time. */
const keptLogos = 5;

/**
 * Sets the logo.
 * @param readAt as of lockSettings
 * @throws ValidationError, ApiError precondition_failed
 */
export async function setLogo(tx: Db, actor: Actor, image: string, readAt: string | null): Promise<Settings> {
  const { business_id } = tenantOf(actor);
  const { content, type, width, height } = await parse(image);
  const hash = createHash("sha256").update(content).digest("hex");
  return transaction(tx, async (tx) => {
    const was = await lockSettings(tx, actor, readAt);
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO business_logo (business_id, hash, type, content) VALUES (${business_id}, ${hash}, ${type}, ${content})
      ON CONFLICT (business_id, hash) DO UPDATE SET created_at = clock_timestamp()`,
    );
    await tx.business.update({
      where: { id: business_id },
      data: { logo_hash: hash, logo_width: width, logo_height: height },
    });
    await execute(
      tx,
      Prisma.sql`
      DELETE FROM business_logo WHERE business_id = ${business_id} AND hash NOT IN (
        SELECT hash FROM business_logo WHERE business_id = ${business_id} ORDER BY created_at DESC, hash LIMIT ${keptLogos})`,
    );
    const is = await getSettings(tx, actor);
    if (is.logo_url !== was.logo_url)
      await audit(tx, business_id, {
        action: "settings.logo_changed",
        resource_id: "settings",
        before: was.logo_url === null ? null : { logo_url: was.logo_url },
        after: { logo_url: is.logo_url, type, width, height, bytes: content.length },
      });
    return is;
  });
}

/**
 * Removes the logo and the earlier ones.
 * @param readAt as of lockSettings
 * @throws ApiError precondition_failed
 */
export async function removeLogo(tx: Db, actor: Actor, readAt: string | null): Promise<Settings> {
  const { business_id } = tenantOf(actor);
  return transaction(tx, async (tx) => {
    const { logo_url } = await lockSettings(tx, actor, readAt);
    await tx.business.update({
      where: { id: business_id },
      data: { logo_hash: null, logo_width: null, logo_height: null },
    });
    await tx.businessLogo.deleteMany({ where: { business_id } });
    if (logo_url !== null)
      await audit(tx, business_id, {
        action: "settings.logo_removed",
        resource_id: "settings",
        before: { logo_url },
      });
    return getSettings(tx, actor);
  });
}

async function parse(image: string): Promise<Image> {
  const refuse = (message: string) => new ValidationError({ image: [message] });
  const base64 = image.replace(/^data:image\/(png|jpe?g);base64,/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) throw refuse("The image must be in base64.");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > maxLogoUploadBytes) throw refuse("The image must not be larger than 45 kB.");
  const found = await inTurn(() => readImage(bytes));
  if ("problem" in found)
    throw refuse(`The image must be a PNG or JPEG of 16 to ${maxSide} pixels either way${found.problem}.`);
  return found;
}

export async function findLogo(businessId: string, hash: string): Promise<LogoFile | null> {
  if (!/^[1-9]\d{0,8}$/.test(businessId) || !/^[0-9a-f]{64}$/.test(hash)) return null;
  const [row] = await queryRows<LogoFile>(
    db,
    Prisma.sql`SELECT type, content FROM business_logo WHERE business_id = ${Number(businessId)} AND hash = ${hash}`,
  );
  return row ?? null;
}

export async function currentLogo({ business_id, logo_hash }: Brand): Promise<LogoFile | null> {
  return logo_hash ? findLogo(String(business_id), logo_hash) : null;
}
