import { parse } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redirectUrl } from "@/lib/http/fields";
import { safeUrl } from "@/lib/payer/document";
import { hostileUrls, rightUrls } from "@/tests/support/hostile-urls";

const accepts = (url: string): boolean => redirectUrl.safeParse(url).success;

/** RFC 3986, appendix B. */
const reference = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/;

it("refuses every hostile URL", () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(100);
  expect(hostileUrls.filter(accepts)).toEqual([]);
});

it("takes every right URL", () => expect(rightUrls.filter((url) => !accepts(url))).toEqual([]));

describe("an accepted URL", () => {
  const pieces = fc.oneof(
    fc.constantFrom("https://", "http://", "//", "/", "\\", "@", ":", "?", "#", ".", "..", "[", "]", "%", "%2f", "%00"),
    fc.constantFrom(
      "shop.example",
      "evil.example",
      "a",
      "0x7f",
      "127",
      "1",
      "::1",
      "443",
      "80",
      "xn--a",
      "é",
      "\t",
      "\0",
      '"',
    ),
    fc.string({ maxLength: 3, unit: "binary" }),
    fc.string({ maxLength: 3 }),
  );
  const urls = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 6 }).map((parts) => `https://shop.example${parts.join("")}`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  );

  it("names the same host to three parsers, and is nothing but ASCII in a header and a link", () => {
    let accepted = 0;
    fc.assert(
      fc.property(urls, (url) => {
        if (!accepts(url)) return;
        accepted++;
        const { host, href, username, protocol } = new URL(url);
        const [, , scheme, , authority = ""] = reference.exec(url) ?? [];
        const withoutPort = authority.toLowerCase().replace(protocol === "https:" ? /:443$/ : /:80$/, "");
        expect([withoutPort, parse(url).host?.replace(protocol === "https:" ? /:443$/ : /:80$/, "")]).toEqual([
          host,
          host,
        ]);
        expect([`${scheme?.toLowerCase()}:`, username]).toEqual([protocol, ""]);
        expect(url).toMatch(/^[\x21-\x7e]+$/);
        expect(url).not.toMatch(/["<>\\^`{|}]/);
        // What pages and headers show is the stored URL: the parser only adds the empty path and lowers the host's letters.
        expect([safeUrl(url), new URL(href).href]).toEqual([href, href]);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(1_000);
  });
});
