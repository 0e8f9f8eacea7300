/** Characters that no URL may have unencoded (RFC 3986, 2.2 and 2.3). */
const forbidden = ['"', "<", ">", "`", "^", "{", "|", "}", "\\", " ", "\t", "\n", "\r", "\0", "\u007f", "é", "\u202e"];

/** Notations of an address or a name that parsers rewrite, or read differently. */
const hosts = [
  ...["0x", "0", "1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "127.1", "127.0.1", "0177.0.0.1", "1.2.3"],
  ...["127.0.0.1.", "256.1.1.1", "999.1.1.1", "1.2.3.4.5", "1.2.3.08", "①②⑦.⓪.⓪.①", "[::ffff:127.0.0.1]", "[0:0::1]"],
  ...["[::1", "::1", "[::1]]", "[fe80::1%25lo]", "[v1.x]", "[]", "[::G]"],
  ...["a..b", ".a", "a.", "a..", "-a.example", "a-.example", "a_.example", "%61.example", "a%2eb", "a%00b", "a%0ab"],
  ...["bücher.example", "xn--a.example", "xn--zzzzzzzz", "аpple.example", "a\u200bb.example", "a\u3002b"],
  ...[
    `${"a".repeat(64)}.example`,
    "a,b",
    "a;b",
    "a!b",
    "a$b",
    "a&b",
    "a'b",
    "a(b)",
    "a*b",
    "a+b",
    "a=b",
    "~a",
    "*.example",
  ],
  ...[
    "shop.example:",
    "shop.example:0",
    "shop.example:080",
    "shop.example:65536",
    "shop.example:x",
    "shop.example:80:80",
  ],
  ...["u@shop.example", "u:p@shop.example", "@shop.example", ":@shop.example", "shop.example@evil.example"],
  ...["shop.example%40evil.example", "shop.example%2f@evil.example", "shop.example%23.evil.example"],
];

/** Schemes, and everything that is no absolute http or https URL. */
const others = [
  ...["", "x", "//shop.example/", "///shop.example/", "/thanks", "?a", "#a", "shop.example", "shop.example/thanks"],
  ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "javascript://shop.example/%0aalert(1)", "java\nscript:alert(1)"],
  ...["data:text/html,x", "vbscript:x", "blob:https://shop.example/1", "file:///etc/passwd", "filesystem:https://a/b"],
  ...[
    "ftp://shop.example/",
    "ws://shop.example/",
    "mailto:a@b.example",
    "about:blank",
    "view-source:https://a.example/",
  ],
  ...["http:", "https:", "http:/", "https:/shop.example", "https:shop.example", "https://", "https:///shop.example"],
  ...["https:////shop.example", "https://?a", "https://#a", "https:\\\\shop.example", "https:/\\shop.example"],
  ...[
    "https://shop.example\\@evil.example",
    "https://shop.example\\.evil.example",
    "\\\\shop.example",
    "\thttps://a.example",
  ],
  ...[
    "hxxps://a.example",
    "https ://a.example",
    "http\u0000s://a.example",
    "https：//shop.example/",
    "url=https://a.example",
  ],
  ...["https://shop.example/%", "https://shop.example/%z0", "https://shop.example/%0", "https://shop.example/%u0041"],
  ...[" https://shop.example/", "https://shop.example/ ", "https://%65vil.example@shop.example/"],
  ...["0; url=https://evil.example", "https://shop.example/\r\nSet-Cookie: a=b", 'https://shop.example/"><script>'],
  `https://shop.example/${"a".repeat(2048)}`,
];

/** URLs to which no payer may be sent: each must be refused. */
export const hostileUrls: string[] = [
  ...hosts.map((host) => `https://${host}/`),
  ...["a`b", "a b", "a\tb", "a\nb", "a<b", 'a"b', "a|b", "a^b"].map((host) => `https://${host}`),
  ...forbidden.flatMap((char) => [`https://shop.example/a${char}b`, `https://shop.example/?a=${char}b#${char}`]),
  ...others.filter((url) => url !== ""), // an empty one is none
];

/** Unusual URLs that are right: each must be stored as it is. */
export const rightUrls: string[] = [
  ...["https://shop.example", "https://shop.example/", "https://shop.example?a=b", "https://shop.example#a"],
  ...[
    "https://shop.example:8443/a/../b;c=d?e[]=f&g=%22%3E%3Cscript%3E#h",
    "https://SHOP.example/%C3%BC",
    "HTTPS://a.example",
  ],
  ...[
    "https://xn--bcher-kva.example/",
    "https://203.0.113.7/",
    "https://[2001:db8::1]:8443/",
    "https://a_b.example:443/",
  ],
  ...["https://shop.example/@evil.example", "https://shop.example/?next=https://evil.example//&x='(*)!$~,"],
];
