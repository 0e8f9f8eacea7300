import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { db } from "@/lib/core/db";
import { maxLogoBytes } from "@/lib/resources/settings/contract";
import { expectNoViolations } from "@/tests/support/axe";
import { jpeg, png } from "@/tests/support/images";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeStaff, openAs, type Staff, test } from "@/tests/support/staff";

const branding = (page: Page) => page.getByRole("region", { name: "Branding", exact: true });

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await branding(page).getByLabel("Logo file").setInputFiles({ name, mimeType, buffer });
}

const chosen = (page: Page) => branding(page).getByRole("img", { name: "The chosen logo" });

async function storedLogo({ businessId }: Staff) {
  const { logo_hash: hash } = await db.business.findUniqueOrThrow({ where: { id: businessId } });
  return db.businessLogo.findFirstOrThrow({ where: { business_id: businessId, hash: hash ?? "none" } });
}

/** Noise does not compress: as large as a photo can be. */
const photo = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  });

const svg = (more: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">${more}<circle cx="12" cy="12" r="11"/></svg>`,
  );

const usable: [name: string, type: string, image: () => Promise<Buffer> | Buffer, size: [number, number]][] = [
  ["photo.jpg", "image/jpeg", () => photo(2400, 1600).jpeg({ quality: 90 }).toBuffer(), [512, 341]],
  ["turned.jpg", "image/jpeg", () => photo(800, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer(), [256, 512]],
  [
    "logo.webp",
    "image/webp",
    () =>
      sharp(png({ width: 800, height: 400 }))
        .webp()
        .toBuffer(),
    [512, 256],
  ],
  [
    "logo.gif",
    "image/gif",
    () =>
      sharp(png({ width: 100, height: 50 }))
        .gif()
        .toBuffer(),
    [100, 50],
  ],
  [
    "logo.avif",
    "image/avif",
    () =>
      sharp(png({ width: 600, height: 300 }))
        .avif()
        .toBuffer(),
    [512, 256],
  ],
  ["logo.svg", "image/svg+xml", () => svg("<script>document.title = 'changed'</script>"), [512, 512]],
  ["tiny.png", "image/png", () => png({ width: 8, height: 8 }), [16, 16]],
];

test("an image of any usable kind is scaled to fit, previewed and saved", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/settings");
  for (const [name, type, image, [width, height]] of usable) {
    await choose(page, name, type, await image());
    await expect(chosen(page), name).toHaveCount(2);
    await branding(page).getByRole("button", { name: "Save logo" }).click();
    await expect(chosen(page), name).toHaveCount(0);
    const logo = branding(page).getByRole("img", { name: "Your logo" });
    await expect(logo, name).toHaveAttribute("width", String(width));
    await expect(logo, name).toHaveAttribute("height", String(height));
    const { content } = await storedLogo(staff);
    expect(content.length, name).toBeLessThanOrEqual(maxLogoBytes);
    const saved = await sharp(content).metadata();
    expect([saved.width, saved.height], name).toEqual([width, height]);
    await expect(page).not.toHaveTitle("changed");
  }
});

test("a transparent logo stays transparent, is seen on both pages before it is saved, and can be left", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/settings");
  await expect(branding(page).getByRole("button", { name: "Upload logo" })).toBeVisible();
  await choose(page, "logo.png", "image/png", png({ width: 300, height: 100, colour: 6 }));
  await expect(branding(page).getByText("On a dark page")).toBeVisible();
  await expect(branding(page).getByText("Saved at 300 × 100 pixels.")).toBeVisible();
  await expectNoViolations(page);
  await expectNoOverflow(page, phoneWidth, 390);
  await branding(page).getByRole("button", { name: "Cancel" }).click();
  await expect(chosen(page)).toHaveCount(0);
  await expect(branding(page).getByRole("button", { name: "Upload logo" })).toBeFocused();
  expect((await db.business.findUniqueOrThrow({ where: { id: staff.businessId } })).logo_hash).toBeNull();
  await choose(page, "logo.png", "image/png", png({ width: 300, height: 100, colour: 6 }));
  await branding(page).getByRole("button", { name: "Save logo" }).click();
  await expect(branding(page).getByRole("img", { name: "Your logo" })).toBeVisible();
  expect((await sharp((await storedLogo(staff)).content).metadata()).hasAlpha).toBe(true);
});

const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypheic\0\0\0\0mif1heic", "latin1"),
  Buffer.alloc(64),
]);

test("what is no usable image is named, and the page stays usable", async ({ page }) => {
  await openAs(page, await makeStaff(), "/settings");
  await expect(branding(page).getByRole("button", { name: "Upload logo" })).toBeVisible();
  const unreadable = "This file can’t be read as an image.";
  for (const [name, type, image, words] of [
    ["large.png", "image/png", Buffer.alloc(5_000_001), "The file is larger than 5 MB."],
    ["photo.heic", "image/heic", heic, "This browser can’t read HEIC photos."],
    ["page.png", "image/png", Buffer.from("<html><script>alert(1)</script>"), unreadable],
    ["empty.png", "image/png", Buffer.alloc(0), unreadable],
    ["bomb.png", "image/png", png({ width: 65_000, height: 65_000, rows: 0 }), unreadable],
    ["bomb.svg", "image/svg+xml", Buffer.from("<!DOCTYPE svg [<!ENTITY a 'aa'>]><svg>&a;"), unreadable],
    ["cut.jpg", "image/jpeg", jpeg().subarray(0, 100), unreadable],
    ["line.png", "image/png", png({ width: 1000, height: 1 }), "too long and narrow"],
  ] as const) {
    await choose(page, name, type, image);
    await expect(branding(page).getByRole("status").filter({ hasText: words }), name).toBeVisible();
    await expect(chosen(page), name).toHaveCount(0);
  }
  await choose(page, "logo.png", "image/png", png({ width: 120, height: 60 }));
  await expect(branding(page).getByText(unreadable)).toHaveCount(0);
  await expect(chosen(page)).toHaveCount(2);
});
