import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { paletteOf } from "@/lib/resources/settings/colour";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { jpeg, png } from "@/tests/support/images";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const put = (body: object, key = merchant.key) => call("PUT", "/settings", { key, body });
const upload = (image: Buffer | string, key = merchant.key) =>
  call("PUT", "/settings/logo", { key, body: { image: typeof image === "string" ? image : image.toString("base64") } });
const pathOf = (url: unknown) => new URL(String(url)).pathname;

describe("the logo", () => {
  it("is served under its hash, cached permanently, with the content type of its bytes", async () => {
    const { status, json } = await upload(png({ width: 80, height: 40 }));
    expect([status, json.data.logo_width, json.data.logo_height]).toEqual([200, 80, 40]);
    const answer = await fetch(`${baseUrl()}${pathOf(json.data.logo_url)}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 1, 4)).toBe("PNG");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    });
    expect((await upload(`data:image/jpeg;base64,${jpeg().toString("base64")}`)).status).toBe(200);
    expect((await fetch(`${baseUrl()}${pathOf(json.data.logo_url)}`)).status, "mails of before show it").toBe(200);
  });

  it("is served without metadata or anything behind the image", async () => {
    const script = "<script>alert(1)</script>";
    const { json } = await upload(Buffer.concat([jpeg(64, 32, { exif: script }), Buffer.from(script)]));
    const answer = await fetch(`${baseUrl()}${pathOf(json.data.logo_url)}`);
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1")).not.toMatch(/script|Exif/);
    expect(answer.headers.get("content-type")).toBe("image/jpeg");
  });

  it.each<[string, Buffer | string, string]>([
    ["no base64", "<svg>", "The image must be in base64."],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), "PNG or JPEG"],
    ["GIF", Buffer.from("GIF89a\x40\0\x40\0\0\0\0;", "latin1"), "PNG or JPEG"],
    ["HTML that calls itself PNG", `data:image/png;base64,${Buffer.from("<html>").toString("base64")}`, "PNG or JPEG"],
    ["too large a file", png({ padding: 46_080 }), "The image must not be larger than 45 kB."],
    ["too wide", png({ width: 1025 }), "16 to 1024 pixels"],
    ["too small", png({ width: 15 }), "16 to 1024 pixels"],
    ["a JPEG that is too wide", jpeg(4000, 20), "16 to 1024 pixels"],
    ["cut off", png().subarray(0, -20), "PNG or JPEG"],
    ["fewer pixels than it says", png({ rows: 3 }), "it is damaged or cut off"],
    ["a GIF that is a script too", Buffer.from("GIF89a/*\x40\0*/=1;alert(1)", "latin1"), "PNG or JPEG"],
  ])("is refused: %s", async (_, image, words) => {
    const reply = await upload(image);
    expect(reply.status).toBe(422);
    expect(reply.json.errors.image?.[0]).toContain(words);
  });

  it("disappears everywhere once removed, and at most five old logos are kept", async () => {
    const own = await createMerchant();
    const urls: unknown[] = [];
    for (let width = 20; width < 27; width++) urls.push((await upload(png({ width }), own.key)).json.data.logo_url);
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(`${baseUrl()}${pathOf(url)}`)).status));
    expect(await statuses()).toEqual([404, 404, 200, 200, 200, 200, 200]);
    const stranger = String(pathOf(urls[6])).replace(/\/logo\/\d+/, `/logo/${merchant.businessId}`);
    expect((await fetch(`${baseUrl()}${stranger}`)).status).toBe(404);
    const reply = await call("DELETE", "/settings/logo", { key: own.key });
    expect([reply.status, reply.json.data.logo_url, reply.json.data.logo_width]).toEqual([200, null, null]);
    expect(new Set(await statuses())).toEqual(new Set([404]));
    expect((await call("DELETE", "/settings/logo", { key: own.key })).status).toBe(200);
  });
});

it("colour, phone and texts are normalised, and cleared by null", async () => {
  const own = await createMerchant();
  const set = {
    brand_colour: "#D95F02",
    support_phone: "+49 30 5550100",
    thank_you_text: "Bis bald!\nAda",
    seller_details: "Torstraße 1\n10119 Berlin",
  };
  expect((await put(set, own.key)).json.data).toMatchObject({ ...set, brand_colour: "#d95f02" });
  expect((await put({ brand_colour: null }, own.key)).json.data).toMatchObject({ ...set, brand_colour: null });
});

it.each([
  [{ brand_colour: "red" }, "The brand_colour must be a colour such as #1d4ed8."],
  [{ brand_colour: "#fff" }, "The brand_colour must be a colour such as #1d4ed8."],
  [{ brand_colour: "#12345g" }, "The brand_colour must be a colour such as #1d4ed8."],
  [{ brand_colour: "#123456}</style>" }, "The brand_colour must be a colour such as #1d4ed8."],
  [{ support_phone: "call me" }, "The support_phone must be a phone number."],
  [{ seller_details: "x".repeat(301) }, "The seller_details must not be greater than 300 characters."],
  [{ thank_you_text: "x".repeat(501) }, "The thank_you_text must not be greater than 500 characters."],
])("refuses %j", async (body, text) => {
  const reply = await put(body);
  expect([reply.status, Object.values(reply.json.errors)]).toEqual([422, [[text]]]);
});

describe("what payers see", () => {
  const set = {
    brand_colour: "#d95f02",
    support_email: "help@shop.example",
    support_phone: "+49 30 5550100",
    thank_you_text: "Your <b>books</b> leave tomorrow.",
  };
  let logo: string;
  beforeAll(async () => {
    await put(set);
    logo = pathOf((await upload(png())).json.data.logo_url);
  });

  it("shows the logo, the colour and the contact; its policy allows only that image", async () => {
    const id = await create(merchant.key, "payment_links");
    const token = (
      await call("GET", `/tokenizations/${await create(merchant.key, "tokenizations")}`, { key: merchant.key })
    ).json.data.token;
    for (const path of [`/pay?id=${id}`, `/activate/${token}`]) {
      const answer = await fetch(`${baseUrl()}${path}`);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(html).toContain(`src="${logo}"`);
      expect(html).toContain("--fill:#d95f02;--fill-ink:#000000");
      expect(html).toContain('href="mailto:help@shop.example"');
      expect(html).toContain('href="tel:+49305550100"');
      expect(html).not.toContain("<script");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("img-src 'self'");
      expect(policy).not.toContain("script-src");
    }
  });

  it("escapes the thank-you text on the page and in the mail, and has a printable receipt", async () => {
    const id = await create(merchant.key, "payment_links");
    await payAt(`/pay?id=${id}`);
    const link = (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data;
    expect(link.status).toBe("Paid");
    const html = await (await fetch(`${baseUrl()}/thank-you?id=${id}`)).text();
    expect(html).toContain("Your &lt;b&gt;books&lt;/b&gt; leave tomorrow.");
    const receipt = /\/receipt\/[\w-]+/.exec(html)?.[0] ?? "";
    expect(await (await fetch(`${baseUrl()}${receipt}`)).text()).toContain(`src="${logo}"`);
    const pdf = await (await fetch(`${baseUrl()}${receipt}/pdf`)).arrayBuffer();
    expect(Buffer.from(pdf).toString("latin1")).toContain("/Subtype /Image");
    const mails = (await call("GET", `/emails?payment_link_id=${id}`, { key: merchant.key })).json.data;
    const mail = mails.find(({ template }) => template === "receipt");
    const { html: body, text } = (await call("GET", `/emails/${mail?._id}`, { key: merchant.key })).json.data;
    expect(body).toContain(logo);
    expect(body).toContain("#d95f02");
    expect(body).not.toContain("<b>books</b>");
    expect(String(text)).toContain("leave tomorrow.");
  });

  it("is unbranded for a business without branding", async () => {
    const plain = await createMerchant("Plain");
    const id = await create(plain.key, "payment_links");
    const html = await (await fetch(`${baseUrl()}/pay?id=${id}`)).text();
    expect(html).not.toContain("<img");
    expect(html).not.toContain("--fill:#");
  });
});

it("every colour has legible text on it, and its links contrast in light and dark", () => {
  const parts = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of parts)
    for (const green of parts)
      for (const blue of parts) expect(paletteOf(`#${red}${green}${blue}`).contrast).toBeGreaterThanOrEqual(4.5);
  expect(paletteOf("#ffff00")).toMatchObject({ ink: "#000000" });
  expect(paletteOf("#ffff00").onLight).not.toBe("#ffff00");
  expect(paletteOf("#000000")).toMatchObject({ ink: "#ffffff", onLight: "#000000" });
});

it("the database refuses invalid colours and another business's logo", async () => {
  const where = { id: merchant.businessId };
  await expect(db.business.update({ where, data: { brand_colour: "#FFFFFF" } })).rejects.toThrow();
  const other = await createMerchant();
  const logo = { logo_hash: "0".repeat(64), logo_width: 64, logo_height: 64 };
  await expect(db.business.update({ where: { id: other.businessId }, data: logo })).rejects.toThrow();
});
