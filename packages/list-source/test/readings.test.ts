import { tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { expressions } from "@x/expressions";
import { listSourceReader } from "@x/list-source";
import { isPublicSuffix } from "@x/list-source/public-suffixes";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasOneReading, isHostCut } from "../src/accept-entry.ts";
import { readText } from "./read.ts";

const PIECES = [
  ..."/.@:?#%-_~!$&'()*+,;=|\\0aZ[",
  ...[
    "//",
    "..",
    "...",
    "%2F",
    "%2f",
    "%252F",
    "%2e",
    "%2E",
    "%252e",
    "%40",
    "%3F",
    "%3A",
    "%23",
    "%5C",
    "%2",
    "%25",
  ],
  ...[
    "good.example",
    "EVIL.example",
    "www.",
    ".example",
    "xn--",
    "xn--bcher-kva",
    "ü",
    "…",
    "3627734734",
    "0x7f",
    "1.2.3.4",
  ],
  ...["/..", "/%2e%2e/", "/.%2E%2f", "/kit%2f..%252f"],
  ...[":80", ":99999", "/kit/", "/kit", "?q=/../", "http", "https", "a.", "b/"],
];
const rest = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => pieces.join(""));
const start = fc.constantFrom(
  "",
  "http://",
  "https://",
  "http://",
  "ftp://",
  "tcp://",
  "//",
  "HTTP://",
);
const host = fc.constantFrom(
  "",
  "good.example",
  "good.example",
  "good.example%2F@evil.example",
  "203.0.113.7",
  "a_b.x-y.co",
);
const texts = fc.tuple(start, host, rest).map((parts) => parts.join(""));

test("an entry is an expression of its URL as the specification and as browsers read it", {
  tags: "deep",
}, () => {
  const seen = { same: 0, differ: 0, platform: 0, collapsed: 0, cut: 0, other: 0 };
  fc.assert(
    fc.property(texts, fc.constantFrom("urls", "csv", "json-lines", "adblock"), (text, format) => {
      const json = JSON.stringify(text);
      const line = {
        urls: text,
        csv: `url\n"${text}"`,
        "json-lines": `{"url":${json}}`,
        adblock: `||a.example^\n|${text}`,
      };
      const reader = listSourceReader({
        format,
        column: "url",
        onEntry({ text: written, expression }) {
          if (written === "a.example") return;
          const { specification, browser } = readUrl(written!.replace(/^tcp:/, "http:"));
          expect(expressions(specification!), text).toContain(expression);
          expect(expressions(browser!), text).toContain(expression);
          seen.same++;
          const scheme = /^[a-z]+:/i.test(written!)
            ? ""
            : written!.startsWith("//")
              ? "http:"
              : "http://";
          const url = scheme + written!.replace(/^tcp:/, "http:");
          // The platform's `URL` gives the same host if it can read the text.
          if (!/^[!-~]*$/.test(url) || /xn--|%.*@/i.test(url)) return;
          expect(expression).toContain(`${tryParseUrl(new URL(url).href)!.host}/`);
          seen.platform++;
        },
        onRefusal({ code, expected }) {
          if (code === "readings-differ") {
            seen.differ++;
            expect(expected).toMatch(/browsers open .*, the specification reads /);
          } else if (code === "host-cut") seen.cut++;
          else seen.other++;
        },
        onWarning({ code, text: quoted }) {
          if (code !== "path-collapsed") return;
          seen.collapsed++;
          expect(quoted).toContain("/");
        },
      });
      reader.push(new TextEncoder().encode(`${line[format]}\n`));
      reader.end();
    }),
    { seed: 20261126, numRuns: sampleSize(40_000, 4000) },
  );
  for (const [name, count] of Object.entries(seen))
    expect(count, name).toBeGreaterThan(fewest(500));
});

test("texts that take the shortcut have one reading", { tags: "deep" }, () => {
  const seen = { shortcut: 0, other: 0, differ: 0 };
  fc.assert(
    fc.property(texts, (text) => {
      const { specification, browser, problem } = readUrl(text);
      const isSame = specification !== null && specification === browser;
      if (!hasOneReading(text)) {
        seen.other++;
        if (!isSame) seen.differ++;
        return;
      }
      seen.shortcut++;
      expect(isSame, text).toBe(true);
      expect(problem, text).toBeNull();
      expect(isHostCut(text), text).toBe(false);
    }),
    { seed: 20261126, numRuns: sampleSize(100_000, 10_000) },
  );
  for (const [name, count] of Object.entries(seen))
    expect(count, name).toBeGreaterThan(fewest(5000));
});

test("a refusal names both readings", () => {
  const refusals: string[] = [];
  const reader = listSourceReader({
    format: "urls",
    onEntry: () => {},
    onRefusal: ({ expected }) => refusals.push(expected),
  });
  reader.push(
    new TextEncoder().encode(
      "http://good.example%2F@evil.example/../\nhttp://evil.example:99999/\n",
    ),
  );
  reader.end();
  expect(refusals).toEqual([
    "a URL that browsers and the specification read alike (browsers open evil.example/, the specification reads good.example/)",
    "a URL that browsers and the specification read alike (browsers open nothing, the specification reads evil.example/)",
  ]);
});

test("exceptions are read in the same way", () => {
  const exceptions: string[] = [];
  const refused: string[] = [];
  const reader = listSourceReader({
    format: "adblock",
    onEntry: () => {},
    onException: ({ expression }) => exceptions.push(expression!),
    onRefusal: ({ code }) => refused.push(code),
  });
  const lines = [
    "@@|http://good.example%2F@evil.example/",
    "@@||good.example/x/../",
    "@@||good.example.evil.",
    "@@||fine.example^",
  ];
  reader.push(new TextEncoder().encode(`${lines.join("\n")}\n`));
  reader.end();
  expect(exceptions).toEqual(["fine.example/"]);
  expect(refused).toEqual(["readings-differ", "pattern", "pattern"]);
});

test("a warning names hosts without a known top-level domain", () => {
  const text =
    "blog.example.cu.m\nwww.login.example.c\nwww.https.example.co.i\nevil.example\nbad.test\nrouter.local\n" +
    "x.onion\nhost.internal\nnas.lan\nhttp://intranet/\n203.0.113.7\n[2001:db8::1]\nevil.xn--p1ai\nпример.рф\n" +
    "evil.com\nevil.co.uk\nx.ck\nme.github.io\nevil.xn--bcher-kva\nevil.con/x\n";
  const warned = readText(text, { format: "urls", isPublicSuffix }).events.filter((event) =>
    event.includes("top-level-domain-unknown"),
  );
  expect(warned.map((event) => Number(event.split(" ")[0]))).toEqual([1, 2, 3, 19, 20]);
  expect(readText(text, { format: "urls" }).events.join()).not.toContain(
    "top-level-domain-unknown",
  );
});

test("a warning names addresses in the networks of readers", () => {
  const local =
    "192.168.1.1\nhttp://10.0.0.1/a\n127.0.0.1\nhttp://[::1]/\nhttp://[fe80::1]/x\nhttp://[fd12::1]/\n100.64.0.1\n172.31.0.1\n169.254.1.1\n0.0.0.0\n";
  const others =
    "172.32.0.1\n11.0.0.1\n100.128.0.1\n192.169.1.1\nhttp://[2001:db8::1]/\n10.example\nhttp://[fec0::1]/\n";
  const warned = readText(local + others, { format: "urls" }).events.filter((event) =>
    event.includes("local-address"),
  );
  expect(warned.map((event) => Number(event.split(" ")[0]))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test("the end of a known top-level domain ends the host of a rule", () => {
  const rules =
    "||evil.com$all\n||evil.co.uk$document\n||evil.unknown$all\n||booking.com-id\n||evil.рф$all\n";
  expect(readText(rules, { format: "adblock", isPublicSuffix }).events).toEqual([
    "1: evil.com/",
    "2: evil.co.uk/",
    "3+1 refused pattern",
    "4+1 refused pattern",
    "5: evil.xn--p1ai/",
  ]);
});
