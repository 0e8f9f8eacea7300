import type { Settings } from "./contract";

export interface Brand {
  business_id: number;
  /** #rrggbb; null: Paydesk's own. */
  brand_colour: string | null;
  logo_hash: string | null;
  logo_width: number | null;
  logo_height: number | null;
  support_email: string | null;
  support_phone: string | null;
  thank_you_text: string | null;
}

export const plainBrand: Brand = {
  business_id: 0,
  brand_colour: null,
  logo_hash: null,
  logo_width: null,
  logo_height: null,
  support_email: null,
  support_phone: null,
  thank_you_text: null,
};

export function brandOf({ logo_url, ...settings }: Settings): Brand {
  const [, hash] = /\/logo\/\d+\/([0-9a-f]{64})$/.exec(logo_url ?? "") ?? [];
  return { ...settings, logo_hash: hash ?? null };
}

export const brandSql = `
  json_build_object('business_id', b.id, 'brand_colour', b.brand_colour, 'logo_hash', b.logo_hash,
    'logo_width', b.logo_width, 'logo_height', b.logo_height, 'support_email', b.support_email,
    'support_phone', b.support_phone, 'thank_you_text', b.thank_you_text)`;

export interface Logo {
  path: string;
  width: number;
  height: number;
}

export function logoOf({ business_id, logo_hash, logo_width, logo_height }: Brand): Logo | null {
  if (!logo_hash || !logo_width || !logo_height) return null;
  return { path: `/logo/${business_id}/${logo_hash}`, width: logo_width, height: logo_height };
}

/** The stored image. */
export interface LogoFile {
  type: "image/png" | "image/jpeg";
  content: Buffer;
}
