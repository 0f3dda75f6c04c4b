import { findLinks, findLinksInStream } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import * as linkify from "linkifyjs";
import { describe, expect, test } from "vitest";

const urls = (text: string, as: "text" | "html" | "markdown" = "text") =>
  findLinks(text, { as }).map(({ url }) => url);

const LONG = `https://good.example/${"a".repeat(60)}?x=`;

describe("a line that ends in an equals sign does not hide the link on the next line", () => {
  const text = `${LONG}\nhttp://evil.example/`;

  test.each([
    ["text", text],
    ["html", `<pre>${text}</pre>`],
    ["markdown", text],
    ["markdown", `\`\`\`\n${text}\n\`\`\``],
  ] as const)("in %s", (as, source) => {
    expect(urls(source, as)).toEqual([LONG, "http://evil.example/"]);
  });

  test.each(["7bit", "quoted-printable", "base64"])("in an email in %s", async (encoding) => {
    const body = {
      "7bit": text,
      "quoted-printable": text.replaceAll("=", "=3D"),
      base64: Buffer.from(text).toString("base64"),
    }[encoding];
    for (const type of ["plain", "html"]) {
      const { links } = await findLinksInMail(
        `Content-Type: text/${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}`,
      );
      expect(links.map(({ url }) => url)).toEqual([LONG, "http://evil.example/"]);
    }
  });

  test("both readings of a link are found", () => {
    const path = `https://good.example/${"a".repeat(60)}`;
    expect(urls(`${path}?id=YWJj=\nPlease`)).toEqual([`${path}?id=YWJjPlease`, `${path}?id=YWJj=`]);
  });

  test("wherever a soft line break is", () => {
    const before = "x".repeat(60);
    const url = "https://login.evil.example/a";
    for (let at = 1; at < url.length; at++) {
      expect(urls(`${before} ${url.slice(0, at)}=\n${url.slice(at)} y`)).toContain(url);
    }
  });

  test("nor in angle brackets", () => {
    expect(urls("<https://good.example/a\nhttp://evil.example/>")).toContain(
      "http://evil.example/",
    );
  });
});

describe("a defanged link ends where the same link would end that is not defanged", () => {
  const after = fc.constantFrom(
    ...[
      ",malware,2026-01-01",
      "\u2014the panel",
      "(C2)",
      "|phishing",
      "'s",
      "->x",
      ";x",
      "\u2192b",
      "=5",
      "$5",
      "!",
      "&x",
      "[1]",
      "\u3001\u3068",
      "- x",
      "_ x",
      "@ x",
      "\u2013x",
      "\u2022x",
    ],
  );
  const hosts = [
    "evil.example.com",
    "evil.co.uk",
    "192.0.2.1",
    "u@evil.example.com",
    "u:p@evil.co.uk",
    "u.v@192.0.2.1",
    "[2001:db8::1]",
    "u@[2001:db8::1]",
    "evil.xn--p1ai",
    "evil.\u0440\u0444",
  ];
  const dot = fc.constantFrom("[.]", "(.)", "[dot]", "{.}");
  test("whatever follows", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...hosts),
        dot,
        after,
        fc.constantFrom("hxxp", "hxxps"),
        (host, dot, after, scheme) => {
          const url = `${scheme.replace("xx", "tt")}://${host}`;
          expect(urls(`see ${scheme}://${host.replaceAll(".", dot)}${after}`)[0]).toBe(url);
          expect(urls(`see ${url}${after}`)[0]).toBe(url);
          expect(urls(`see ${scheme}[://]${host.replaceAll(".", dot)}${after}`)[0]).toBe(url);
        },
      ),
      { seed: 57, numRuns: sampleSize(1000, 200) },
    );
  });

  test.each(["hxxp(s)", "hxxp[s]", "http[s]", "h(tt)ps", "h[xx]ps", "hxxp{s}"])(
    "%s://",
    (scheme) => {
      expect(urls(`${scheme}://evil.com/a`)).toEqual(["https://evil.com/a"]);
    },
  );
});

describe("brackets in the scheme", () => {
  /** All ways to put brackets around one or several characters of `hxxp://`. */
  const spellings = ["http", "hxxp"].flatMap((scheme) =>
    Array.from(`${scheme}://`).flatMap((_, start, characters) =>
      characters.slice(start).map((_, length) => {
        const inside = characters.slice(start, start + length + 1).join("");
        const after = characters.slice(start + length + 1).join("");
        return `${characters.slice(0, start).join("")}[${inside}]${after}`;
      }),
    ),
  );

  test.each(spellings)("%sevil.com", (start) => {
    expect(urls(`see ${start}evil.com/a for more`)).toContain("http://evil.com/a");
    expect(urls(`see ${start}evil[.]com/a for more`)).toContain("http://evil.com/a");
  });

  test.each(["hxxp[://", "hxxp:]//", "hxxp[]://", "hxxp[s]//", "hxxp[:/]/", "h//p://"])(
    "a host after slashes is a link, whatever is before them: %sevil.com",
    (start) => expect(urls(`see ${start}evil.com/a`)).toEqual(["http://evil.com/a"]),
  );
});

describe("a defanged host in a path", () => {
  test.each([",", ";", "|", "("])("after %s may be a link of its own", (mark) => {
    for (const first of ["http://good.com/a", "hxxp://good[.]com/a", "good.com/a"]) {
      expect(urls(`${first}${mark}evil[.]com/b`)).toContain("http://evil.com/b");
      expect(urls(`${first}${mark}x${mark}login[.]evil(.)com`)).toContain("http://login.evil.com");
    }
  });

  test.each([
    ["http://good.com/?u=evil[.]com", "http://evil.com"],
    ["good.com/a?v=1&u=evil[.]com/a&w=2", "http://evil.com/a"],
    ["https://good.com/?u=hxxps://evil.com/?id=5&v=1", "https://evil.com/?id=5"],
  ])("in a parameter may be a link of its own: %s", (text, url) => {
    expect(urls(text)).toContain(url);
  });

  test("is one only after a mark, or if it is defanged", () => {
    expect(urls("http://good.com/a,evil.com")).toEqual(["http://good.com/a,evil.com"]);
    expect(urls("http://good.com/a/evil[.]com")).toEqual(["http://good.com/a/evil[.]com"]);
  });
});

test.each(["~~", "[a](", ..."\u2022\u2192\u2013\xb7\u{1f600}\u3001\xe9\u200b\uff1a"])(
  "a link that follows another one after %j is a link of its own",
  (between) => {
    expect(urls(`https://good.com/a${between}https://evil.com/`)).toContain("https://evil.com/");
  },
);

describe("in Chinese and Japanese", () => {
  test.each(["\u3002", "\uff0e", "\uff61"])("%s is a dot of a host", (dot) => {
    for (const as of ["text", "markdown", "html"] as const) {
      const found = urls(`http://evil${dot}com/a and www.evil${dot}com`, as);
      expect(found.map((url) => new URL(url).host)).toEqual(["evil.com", "www.evil.com"]);
    }
  });

  test.each([
    "\u89c1good.com\u3002evil.com\u597d",
    "evil.com\u3067\u3059\u3002good.com",
    "http://evil.com\u3067\u3059\u3002good.com",
    "good.com\uff61evil.com\u597d",
    "https://good.com\u3002evil.com/a",
  ])("a full stop between hosts also ends a sentence: %s", (text) => {
    const found = urls(text).map((url) => new URL(url).host);
    expect(found).toEqual(expect.arrayContaining(["evil.com", "good.com"]));
    const hosts = linkify.find(text).map(({ href }) => new URL(href).host);
    expect(found).toEqual(expect.arrayContaining(hosts.filter((host) => !host.includes("xn--"))));
  });

  test("a host has one reading if its parts are no hosts", () => {
    expect(urls("http://www\u3002evil\u3002co\u3002uk/")).toEqual([
      "http://www\u3002evil\u3002co\u3002uk/",
    ]);
  });

  test.each(["http://evil.com/a", "evil.com/a?b=c", "http://evil.com/a/b.html"])(
    "text that follows %s without a blank may belong to it",
    (link) => {
      const url = link.startsWith("http") ? link : `http://${link}`;
      expect(urls(`${link}\u597d\u7684`)).toEqual([`${url}\u597d\u7684`, url]);
    },
  );
});

test("backslashes of Markdown are not shown", () => {
  expect(urls("see https\\://evil.com/a\\_b and https\\:\\/\\/evil.com", "markdown")).toEqual([
    "https://evil.com/a_b",
    "https://evil.com",
  ]);
  expect(urls("url=https\\://evil.com/a")).toEqual(["https://evil.com/a"]);
});

test("in pieces, the same links are found", async () => {
  const text = `${LONG}\nhttp://evil.example/ http=\n://b.example/ good.com\u3002evil.com\u597d http://a.com/b\u597d `;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 4 }), async (cuts) => {
      const sorted = [0, ...cuts.sort((one, other) => one - other), text.length];
      const pieces = sorted.slice(1).map((end, i) => text.slice(sorted[i], end));
      const found = [];
      for await (const link of findLinksInStream(pieces)) found.push(link);
      expect(found).toEqual(findLinks(text));
    }),
    { seed: 57, numRuns: sampleSize(300) },
  );
});
