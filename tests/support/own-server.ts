import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { type Launched, launch, paydeskWeb } from "./launch";
import { createDatabase } from "./postgres";
import { attempt, expectHydrated, password } from "./staff";

/** A server with a database of its own, in which a business has an owner. */
export interface OwnServer extends Launched {
  settings: { DATABASE_URL: string; APP_SECRET: string };
  /** Opens the overview. */
  signInAsOwner(page: Page): Promise<void>;
}

const email = "ada@example.com";
const owner = { business_name: "Blue Bottle Books", currency: "EUR", timezone: "UTC", name: "Ada", email, password };

/** For tests that change what every page of the database shows. */
export async function launchOwnServer(): Promise<OwnServer> {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  const server = await launch({ ...settings, REGISTRATION: "open", TRUST_PROXY: "1", LOG_LEVEL: "error" }, paydeskWeb);
  const { status } = await fetch(`${server.url}/api/registrations`, {
    ...{ method: "POST", body: JSON.stringify(owner) },
    headers: { "Content-Type": "application/json", Origin: server.url },
  });
  expect(status).toBe(200);
  const signInAsOwner = async (page: Page) => {
    await page.goto(`${server.url}/login`);
    await attempt(page, email, password);
    await page.waitForURL((url) => url.pathname === "/");
    await expectHydrated(page);
  };
  return { ...server, settings, signInAsOwner };
}
