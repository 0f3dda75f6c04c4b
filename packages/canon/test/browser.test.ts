import { readFileSync } from "node:fs";
import { type CanonicalUrl, MAX_URL_LENGTH, tryParseUrl } from "@x/canon";
import { browserHref, tryParseUrlAsBrowser } from "@x/canon/browser";
import { readUrl } from "@x/canon/readings";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateInput, seededRandom } from "./generate.ts";

interface Vector {
  readonly input: string | { readonly bytes: string };
  /** The canonical form by the specification, or `null` when the input is an error. */
  readonly specification: string | null;
  /** The canonical form of the URL that a browser opens, or `null` when it opens none. */
  readonly browser: string | null;
  /** The canonical form of the URL that Firefox opens for a link on a page, if it is another URL. */
  readonly firefox?: string;
  readonly section: string;
}

// Parsed here, because vite's JSON parser refuses half a surrogate pair.
const vectors: { readonly source: string; readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("./vectors/browser.json", import.meta.url), "utf8"),
);

describe(vectors.source, () => {
  test.each(vectors.cases)(
    "$input",
    { tags: "deep" },
    ({ input, specification, browser, firefox = null }) => {
      const url = typeof input === "string" ? input : Buffer.from(input.bytes, "hex");
      expect(tryParseUrl(url)?.href ?? null).toBe(specification);
      const reading = tryParseUrlAsBrowser(url);
      expect(reading?.href ?? null).toBe(browser);
      if (reading !== null) expect(tryParseUrl(browserHref(url)!)).toEqual(reading);
      expect(readUrl(url).firefox?.href ?? null).toBe(firefox);
    },
  );
});

const SPECIAL = /^(?:https?|ftp|wss?):$/;

/** The browser's reading, computed with the setters of the platform's `URL`. Text without a scheme gets one. */
function asBrowser(text: string): CanonicalUrl | null {
  let url: URL | null = null;
  for (const candidate of candidates(text)) {
    try {
      url = new URL(candidate);
      break;
    } catch {}
  }
  if (url === null) return null;
  if (!SPECIAL.test(url.protocol)) return null;
  url.username = "";
  url.password = "";
  return tryParseUrl(url.href);
}

/** Texts in which the two readings often differ. */
const piece = fc.constantFrom(
  ..."/\\@:?#.%&'\"<>^|{}` \t\n\0\x1f\x7fa1-_[]~!$()*+,;=".split(""),
  ...[
    "a.b",
    "c",
    "xn--9ca",
    "xn--",
    "1.2.3.4",
    "0x",
    "1.0x.3.4",
    "0x7f.1",
    "[::1]",
    ":80",
    ":99999",
  ],
  ...[
    "%2F",
    "%3f",
    "%40",
    "%5C",
    "%23",
    "%2e",
    "%2E%2e",
    "%25",
    "%252F",
    "%41",
    "%C3%A9",
    "%FF",
    "%09",
  ],
  ...[
    "..",
    "/../",
    "/./",
    "..\\",
    "//",
    "\u00e9",
    "\u3002",
    "\uff0f",
    "\u00ad",
    "\u200d",
    "\ud800",
  ],
);
const spoofed = fc
  .tuple(
    fc.constantFrom(
      ...[
        "http://",
        "https://",
        "http:",
        "http:/",
        "http:\\\\",
        "HTTP:///",
        "\x01http://",
        "ws://",
      ],
      ...["ftp:/\\", "htt\tp://", "wss://", "x://", "", "//", "file:///", " http://"],
      ...["http;//", "https//", "ttp:", "htps://", "ps;//", "https;"],
    ),
    fc.array(piece, { maxLength: 12 }),
  )
  .map(([start, pieces]) => start + pieces.join(""));
const generated = fc.nat(2 ** 31 - 1).map((seed) => generateInput(seededRandom(seed)));
/** URLs that are mostly canonical. */
const plain = fc
  .record({
    scheme: fc.constantFrom("http", "https"),
    labels: fc.array(
      fc.constantFrom("a", "b-c", "_d", "xn--9ca", "xn--a", "1", "x^", "~!$", "0x"),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    path: fc.string({
      unit: fc.constantFrom(..."abc/.;\\\"'<>^|{}`[]@:!*", "%41", "%5C"),
      maxLength: 8,
    }),
    query: fc.option(fc.string({ unit: fc.constantFrom(..."ab/.?\\\"'<>^|@:&="), maxLength: 6 })),
  })
  .map(({ scheme, labels, path, query }) => {
    return `${scheme}://${labels.join(".")}/${path}${query === null ? "" : `?${query}`}`;
  });
const anything = fc.oneof(spoofed, plain, generated, fc.string({ unit: anyCharacter }));
/** `CANON_LONG_RUN` is the number of inputs of each property, in millions. The default is lower. */
const MILLIONS = Number(process.env.CANON_LONG_RUN ?? 0);
const SEED = Number(process.env.CANON_SEED ?? 20_261_122);
const runs = { seed: SEED, numRuns: MILLIONS > 0 ? MILLIONS * 1_000_000 : sampleSize(30_000) };

/** The URLs that address bars make of a text, or, if the text can be a link on a page, that pages make of it. */
function candidates(written: string): string[] {
  const given = written.replace(/\p{Surrogate}/gu, "\ufffd");
  const start = given.replace(/[\t\r\n]/g, "").replace(/^[\0- \x85\s]+/, "");
  const isLink = /^(?:(?:https?|ftp|wss?):[/\\]*|[/\\]{2,})[^/\\?#]*[/\\?#]/i.test(start);
  const text = start.replace(isLink ? /[\0- ]+$/ : /[\0- \x85\s]+$/, "");
  const corrected = text
    .replace(/^(https?);/i, "$1:")
    .replace(/^[ht]tp(s?)(?:[:;]?\/\/|:(?!\d+(?:[/?#\\]|$)))/i, "http$1://")
    .replace(/^t?ps(?:[:;]?\/\/|:(?!\d+(?:[/?#\\]|$)))/i, "https://")
    .replace(/^(https?)\/\//i, "$1://");
  const named = text.replace(/^([/\\]*[^/\\?#]*[^/\\?#@'])'+(?=(?::\d*)?(?:[/\\?#]|$))/, "$1");
  const isUser =
    /^[^/\\?#]*@/.test(text) && /^ *(?! )[\0-\x20\x85\s]/.test(given.replace(/[\t\r\n]/g, ""));
  const isSpecial = /^(?:https?|ftp|wss?):/i.test(text);
  const withScheme =
    isSpecial || (hasScheme(text) && !(isUser && !text.startsWith("/"))) ? text : `http://${named}`;
  return corrected === text ? [withScheme] : [corrected, withScheme];
}

/** Whether a text has a scheme, or begins with one slash, as a path does. */
function hasScheme(text: string): boolean {
  const start = text.replace(/[\t\r\n]/g, "").replace(/^[\0- ]+/, "");
  if (/^(?:https?|ftp|wss?):/i.test(start) || /^\/(?![/\\])/.test(start)) return true;
  return /^[a-z][a-z0-9+.-]*:(?![0-9]+(?:[/?#\\]|[\0- ]*$))/i.test(start);
}

/**
 * Whether the platform may refuse a host that a browser opens, such as a host in brackets, or a host with an IDN label,
 * a blank, a full-width percent sign, or a NUL in its port.
 */
function refusedByPlatform({ host, hostType }: CanonicalUrl, text: string): boolean {
  return hostType !== "domain" || /xn--|%20/.test(host) || /\uff05|%EF%BC%85|:\d*\0/i.test(text);
}

test("the reading is that of the platform's URL without user name and password, where that has one", {
  tags: "deep",
}, () => {
  const seen = { same: 0, different: 0, onlyBrowser: 0, none: 0 };
  fc.assert(
    fc.property(anything, (input) => {
      const text =
        typeof input === "string"
          ? input
          : new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
      const reading = tryParseUrlAsBrowser(input);
      const expected = asBrowser(text);
      // Platforms have different tables of UTS 46, and refuse hosts that a browser opens. uts46.test.ts compares hosts.
      const isHostOfPlatform = !/[^\0-\x7f]|%[89a-f]/i.test(text);
      if (
        isHostOfPlatform &&
        (reading === null ||
          !refusedByPlatform(reading, text) ||
          // If the platform refuses the text with the corrected scheme, `asBrowser` also tries the text as it is.
          (expected !== null && candidates(text).length === 1))
      ) {
        expect(reading).toEqual(expected);
      } else if (reading?.host === expected?.host) {
        expect(reading).toEqual(expected);
      }
      const letter = tryParseUrl(input);
      if (reading === null) seen.none++;
      else if (letter === null) seen.onlyBrowser++;
      else seen[letter.href === reading.href ? "same" : "different"]++;
    }),
    runs,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(500));
});

/**
 * Matches an escaped blank in a host that is not ASCII, or an escaped character that is mapped to a blank. Chromium
 * allows blanks in a host.
 */
const IS_MAPPED_TO_BLANK =
  /%20.*%[89A-F]|%[89A-F].*%20|%C2%A[08F]|%E2%80%[89AB]|%E2%81%9F|%E3%80%80/;

/**
 * Browsers treat a part that is only `0x` as zero, and accept an IPv4 address of any form inside an IPv6 address. So
 * browsers read these hosts as addresses, but the specification reads them as names.
 */
const HAS_ODD_NUMBER = /(?:^|\.)0x(?:\.|$)|^\[[^\]]*\./;

test("a canonical URL has one reading, except for a backslash before its query, an odd number, or a mapped blank", () => {
  const seen = { one: 0, none: 0, backslash: 0, oddNumber: 0, mappedToBlank: 50 };
  fc.assert(
    fc.property(anything, (input) => {
      const url = tryParseUrl(input);
      if (url === null || !SPECIAL.test(`${url.scheme}:`)) return;
      const reading = tryParseUrlAsBrowser(url.href);
      if (/\\/.test(url.host + url.path)) {
        seen.backslash++;
      } else if (HAS_ODD_NUMBER.test(url.host)) {
        seen.oddNumber++;
      } else if (IS_MAPPED_TO_BLANK.test(url.host)) {
        seen.mappedToBlank++;
      } else if (reading === null) {
        seen.none++;
      } else {
        seen.one++;
        expect(reading).toEqual(url);
      }
    }),
    runs,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
  expect(seen.one).toBeGreaterThan(fewest(4000));
});

test("a browser opens a verified URL as it is, and its host is possible", () => {
  const seen = { one: 0, backslashInQuery: 0 };
  fc.assert(
    fc.property(anything, (input) => {
      const canonical = tryParseUrl(input)?.href;
      for (const text of canonical === undefined ? [input] : [input, canonical]) {
        const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
        const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
        if (!verifyCanonical(bytes, 0, bytes.length, spans)) continue;
        const reading = tryParseUrlAsBrowser(text);
        seen.one++;
        expect(reading).toEqual(tryParseUrl(text));
        expect(readUrl(text).problem).toBeNull();
        if (reading!.href.includes("\\")) seen.backslashInQuery++;
      }
    }),
    // `verifyCanonical` proves only a few of these texts canonical.
    { ...runs, numRuns: 1.5 * runs.numRuns },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
  expect(seen.one).toBeGreaterThan(fewest(2000));
});

test.each([
  [
    "xn-- labels",
    (random: (below: number) => number) => {
      const letters = Array.from(
        { length: random(10) },
        () => "abcdefghijklmnopqrstuvwxyz0123456789-"[random(37)],
      );
      return `xn--${letters.join("")}.com`;
    },
  ],
  [
    "numbers",
    (random: (below: number) => number) => {
      const parts = [
        "0",
        "1",
        "08",
        "010",
        "0xf",
        "0x1g",
        "256",
        "4294967296",
        "a",
        "1a",
        "00",
        "-1",
      ];
      return Array.from({ length: 1 + random(5) }, () => parts[random(parts.length)]).join(".");
    },
  ],
])("a canonical host has one reading: %s", (name, makeHost) => {
  const random = seededRandom(7);
  const seen = { one: 0, none: 0 };
  for (let i = 0; i < sampleSize(30_000); i++) {
    const url = tryParseUrl(`http://${makeHost(random)}/`)!;
    const reading = tryParseUrlAsBrowser(url.href);
    seen[reading === null ? "none" : "one"]++;
    if (reading !== null && reading.href !== url.href) expect(reading.href).toBe(url.href);
  }
  expect(seen.one).toBeGreaterThan(fewest(1000));
  // At least one browser opens an ASCII host whatever its `xn--` labels are.
  if (name === "xn-- labels") expect(seen.none).toBe(0);
  else expect(seen.none).toBeGreaterThan(fewest(1000));
});

test.each([
  ["soft hyphens", `http://ev${"\u00ad".repeat(5000)}il.example/`],
  ["escaped soft hyphens", `http://ev${"%C2%AD".repeat(5000)}il.example/`],
  ["zeros of a port", `http://evil.example:${"0".repeat(5000)}80/`],
  ["a user", `http://${"good.example%2F".repeat(5000)}:\u00e9@evil.example/`],
  ["controls after the host", `http://evil.example${"\x01".repeat(5000)}`],
  ["tabs in the host", `http://evil${"\t".repeat(5000)}.example/`],
  ["slashes", `http:${"/\\".repeat(5000)}evil.example/`],
])("long input is read too: %s", (_name, url) => {
  expect(tryParseUrlAsBrowser(url)?.href).toBe("http://evil.example/");
});

test("a host with a label that is too long to convert is undecided", () => {
  const label = (length: number) => `http://${"\u00e9".repeat(length)}.evil.example/`;
  expect(tryParseUrlAsBrowser(label(512))?.host).toMatch(/\.evil\.example$/);
  for (const text of [
    label(513),
    `http://${"\u00e9".repeat(513)}[:80/`,
    `http://xn--${"a".repeat(509)}.\u00e9.example/`,
    `http:\\${"%C3%A9".repeat(513)}.evil.example/`,
  ]) {
    expect(tryParseUrlAsBrowser(text)).toBeNull();
    expect(readUrl(text).problem?.code).toBe("host-undecided");
    expect(readUrl(text, "specification").problem?.code ?? null).toBe(
      text.includes("\\") ? "authority-missing" : "host-undecided",
    );
  }
  expect(tryParseUrl(label(513))?.host).toBe(`${"%C3%A9".repeat(513)}.evil.example`);
  // No browser opens this host, whatever its long label is.
  expect(readUrl(`http://${"\u00e9".repeat(513)}.\u2fff.example/`).problem?.code).toBe(
    "host-invalid",
  );
  expect(tryParseUrlAsBrowser(`http://[${":".repeat(600)}]/`)).toBeNull();
  expect(tryParseUrlAsBrowser(`http://a${".b".repeat(5000)}/`)?.host).toHaveLength(10_001);
});

test("a host whose labels are together too long to convert is undecided", () => {
  const host = (labels: number, label = "\u00e9") =>
    [...Array(labels).fill(label), "evil.example"].join(".");
  const url = (labels: number, label?: string) => `http://${host(labels, label)}/`;
  expect(tryParseUrlAsBrowser(url(2048))?.host).toBe(host(2048, "xn--9ca"));
  expect(tryParseUrl(url(2048))?.host).toBe(host(2048, "xn--9ca"));
  expect(tryParseUrl(url(2049))?.host).toBe(host(2049, "%C3%A9"));
  // U+FDFA is mapped to eighteen characters.
  expect(tryParseUrlAsBrowser(url(113, "\ufdfa"))?.host).toMatch(/^xn--/);
  // `xn--` labels are converted only to be checked.
  expect(tryParseUrlAsBrowser(url(292, "xn--9ca"))?.host).toBe(host(292, "xn--9ca"));
  for (const text of [url(2049), url(114, "\ufdfa"), `http://\u00e9.${host(293, "xn--9ca")}/`]) {
    expect(tryParseUrlAsBrowser(text)).toBeNull();
    expect(readUrl(text).problem?.code).toBe("host-undecided");
  }
});

test("labels that are ASCII after the mapping, and dots, may be of any length beside others", () => {
  for (const [before, after] of [
    [`${"\uff41".repeat(5000)}.`, `${"a".repeat(5000)}.`],
    ["\uff41.".repeat(5000), "a.".repeat(5000)],
    ["a.".repeat(5000), "a.".repeat(5000)],
    ["\u00ad".repeat(5000), ""],
  ] as const) {
    const host = `${after}xn--bcher-kva.example`;
    expect(tryParseUrlAsBrowser(`http://${before}b\u00fccher.example/`)?.host).toBe(host);
    expect(tryParseUrl(`http://${before}b\u00fccher.example/`)?.host).toBe(host);
  }
});

test("a host that may be short tomorrow is undecided, however long it is today", () => {
  const { problem } = readUrl(
    `http://ev${"\u{2065}".repeat(5000)}${"\ufdfa.".repeat(500)}il.example/`,
  );
  expect(problem?.code).toBe("host-undecided");
});

test("any number of zeros before the number of an address, and long labels that IDNA leaves alone, are read", () => {
  const zeros = "0".repeat(600);
  for (const url of [
    `http://${zeros}1.2.3.4\\@good.example/`,
    `http://0x${zeros}1020304\\@good.example/`,
    `http://1.2.3.${zeros}4\\@good.example/`,
    `http:/${zeros}1.2.3.4/`,
    `http://${"%30".repeat(600)}1.2.3.4/`,
    `http://${"\uff10".repeat(600)}1\uff0e2.3.4\\@good.example/`,
  ]) {
    expect(tryParseUrlAsBrowser(url)?.host, url.slice(0, 20)).toBe("1.2.3.4");
  }
  const long = `${"a".repeat(600)}.evil.example`;
  expect(tryParseUrlAsBrowser(`http://${long}\\@good.example/`)?.host).toBe(long);
});

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["a soft hyphen of windows-1252", "http://ev\xadil.example/", "http://ev%ADil.example/"],
  ["a letter of Shift_JIS", "http://\x82\x85vil.example/", "http://%82%85vil.example/"],
  ["a letter of GBK without a scheme", "\xa3\xe5vil.example/", "http://%A3%E5vil.example/"],
  ["a backslash of Shift_JIS", "http://\x83\\evil.example/", "http://%83\\evil.example/"],
  ["an at sign of Big5", "http://evil.\xa4@good.example/", "http://good.example/"],
  ["a mistyped scheme", "http//ev\xadil.example/", "http://http/ev%ADil.example/"],
  ["the vector of the specification", "http://\x01\x80.com/", "http://%01%80.com/"],
  ["ISO-2022-JP", "http://\x1b$B#e\x1b(Bvil.example/", "http://%1B$b/"],
  ["ISO-2022-JP before the URL", "\x1b(Jhttp://evil.example/", "http://%1B(jhttp/evil.example/"],
  ["ISO-2022-JP in the scheme", "h\x1b(Bttp://evil.example/", "http://h%1B(bttp/evil.example/"],
  ["ISO-2022-JP before the slashes", "http:\x1b(B//evil.example/", null],
])("an authority in another encoding cannot be decided: %s", (_name, input, canonical) => {
  const { specification, problem } = readUrl(latin1(input));
  expect(specification?.href ?? null).toBe(canonical);
  expect(problem?.code).toBe("host-undecided");
  if (/^[\0-\x7f]*$/.test(input)) expect(readUrl(input).problem?.code).toBe("host-undecided");
  expect(readUrl(latin1(input), "specification").problem?.code).toBe(
    canonical === null ? "authority-missing" : undefined,
  );
});

test("elsewhere, bytes in another encoding are compared as they are", () => {
  for (const end of ["p\xe4th", "?\xa3\xe5", "#\x82\x85", "\x1b$B"]) {
    const { browser, problem } = readUrl(latin1(`http://evil.example/${end}`));
    expect([browser?.host, problem]).toEqual(["evil.example", null]);
  }
});

test("what a text in another encoding opens as UTF-8 is a reading", () => {
  const { browser, problem } = readUrl(latin1("http://\xfc@evil.example/"));
  expect([browser?.host, problem?.code]).toEqual(["evil.example", "host-undecided"]);
});

test("U+FFFD stands for bytes that were not UTF-8", () => {
  const text = "http://ev\ufffdil.example/";
  expect(readUrl(text).problem?.code).toBe("host-undecided");
  expect(readUrl(new TextEncoder().encode(text)).problem?.code).toBe("host-undecided");
  expect(readUrl("http://evil.example/\ufffd").problem).toBeNull();
});

test("the limit applies to the input and to its reading", () => {
  const ofLength = (length: number) => `http:a/${"b".repeat(length - 7)}`;
  expect(tryParseUrlAsBrowser(ofLength(MAX_URL_LENGTH))).toBeNull();
  expect(tryParseUrlAsBrowser(ofLength(MAX_URL_LENGTH - 2))?.host).toBe("a");
  expect(tryParseUrlAsBrowser(`http://a/${"b".repeat(MAX_URL_LENGTH)}`)).toBeNull();
  expect(tryParseUrlAsBrowser(new Uint8Array(MAX_URL_LENGTH + 1))).toBeNull();
});

test.each([
  ...[
    undefined,
    null,
    1,
    {},
    [],
    new URL("http://a/"),
    new ArrayBuffer(1),
    new Uint16Array([0x61]),
  ],
])("throws a TypeError for %s", (input) => {
  const message =
    /^url must be a string or a Uint8Array, not (undefined|null|a number|an array|an object)$/;
  for (const run of [tryParseUrlAsBrowser, browserHref]) {
    expect(() => run(input as never)).toThrow(TypeError);
    expect(() => run(input as never)).toThrow(message);
  }
});
