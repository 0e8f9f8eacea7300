import type { Actor } from "@/lib/auth/actor";
import { allows } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import type { Page } from "@/lib/http/handle";
import { customerNameColumn } from "./csv-contract";
import { namesOf } from "./service";

/**
 * A list whose rows also have their customer's name, for an exported file.
 * @returns null names to an actor who may not read customers
 */
export const withCustomerNames =
  <Query, Row extends { email: string }>(actor: Actor, list: (query: Query) => Promise<Page<Row>>) =>
  async (query: Query): Promise<Page<Row & { [customerNameColumn]: string | null }>> => {
    const { rows, page } = await list(query);
    const found = allows(actor.scopes, "customers:read")
      ? await namesOf(
          db,
          actor,
          rows.map(({ email }) => email),
        )
      : [];
    const names = new Map(found.map(({ email, name }) => [email, name]));
    return {
      rows: rows.map((row) => ({ ...row, [customerNameColumn]: names.get(lowerAscii(row.email)) ?? null })),
      page,
    };
  };
