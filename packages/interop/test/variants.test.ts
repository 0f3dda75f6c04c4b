import { tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { exactExpression, expressions } from "@x/expressions";
import { CLIENTS, interopVariants, readAs, reportEntry } from "@x/interop";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { firstOf, sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { generateInput as generateInputOrBytes, seededRandom } from "../../canon/test/generate.ts";

const random = seededRandom(20_261_122);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
const some = <T>(values: readonly T[], most: number): T[] =>
  Array.from({ length: random(most + 1) }, () => pick(values));

function generateInput(): string {
  const input = generateInputOrBytes(random);
  return typeof input === "string" ? input : Buffer.from(input).toString("latin1");
}

const LABELS = ["a", "bad", "www", "x-y", "xn--bcher-kva", "1", "08", "0x7f", "3279880203", "264"];
const HOSTS = [
  ...["[::1]", "[2001:db8::a]", "[2001:DB8:0:0::a]", "[::ffff:192.0.2.1]", "[64:ff9b::c000:201]"],
  ...["192.0.2.1", "264.8.8.8", "256.1.1.1", "08.1.1.1", "1.2.3.4.5", "4294967296", "0x7f.1"],
  ...["3279880203", "192.0.2.1.", "bücher.example", "a..b.example", ".a.example"],
];
const SEGMENTS = [
  ...["a", "b.html", "%20", "%C3%A9", "é", "%c3%a9", "%2F", "a%2Fb", "..%2F", "%2e%2e", "..", "."],
  ...["", "%23", "%3F", "%2541", "%%32%35", "%25", "%00", "\\", "%5C", "A", "8080", "~", "'"],
];
const QUERIES = ["", "", "?", "?q", "?%C3%A9", "?%2541", "?%2525", "?a//b/../c", "?%23", "?a?b"];

/** A URL such as a publisher may list. */
function generateEntry(): string {
  if (random(4) === 0) return generateInput();
  const host = random(3) === 0 ? pick(HOSTS) : [...some(LABELS, 8), "evil.example"].join(".");
  const path = `/${some(SEGMENTS, 6).join("/")}`;
  return `http://${host}${pick(["", "", ":8080"])}${path}${pick(QUERIES)}${pick(["", "#top"])}`;
}

/** URLs similar to a text, such as a careless reader of the text could open. */
function near(text: string): string[] {
  const [host, rest] = [text.slice(0, text.indexOf("/")), text.slice(text.indexOf("/"))];
  return [
    text,
    `x.${text}`,
    `x.y.z.${text}`,
    `${host}./${rest}`,
    `[${host}]${rest}`,
    `user@${text}`,
    `${text}/x`,
    `${text}x`,
    `${text}?q`,
    host + rest.replaceAll("%", "%25"),
    host + rest.replaceAll("/", "%2F"),
    host + rest.replaceAll("//", "/"),
    host + rest.toUpperCase(),
    host + rest.replace(/^\/([0-9]+)(?=\/|$)/, ":$1"),
    host.replaceAll(".", "%2E") + rest,
    host + unescape(rest),
  ].map((near) => `http://${near}`);
}

/**
 * The expressions of a URL, as written and as browsers read it, by the rules of v4 and of v5 with registrable domains
 * of two to four labels.
 */
function conformingExpressions(url: string): Set<string>[] {
  return [tryParseUrl(url), tryParseUrlAsBrowser(url)]
    .filter((parsed) => parsed !== null)
    .flatMap((parsed) => [
      new Set<string>(expressions(parsed)),
      ...[2, 3, 4].map((labels) => {
        const registrableDomain = (host: string) =>
          host.split(".").length < labels ? null : host.split(".").slice(-labels).join(".");
        return new Set<string>(expressions(parsed, { registrableDomain }));
      }),
    ]);
}

test("a safe variant blocks nothing that the entry does not cover, for clients with the written rules", {
  tags: "deep",
}, () => {
  const COUNT = sampleSize(1500, 150);
  const entries = Array.from({ length: COUNT }, generateEntry).filter((url) => tryParseUrl(url));
  const others = entries.map((url) => ({ url, readings: conformingExpressions(url) }));
  /** The URLs of the other entries that have a text among their expressions. */
  const urlsWith = new Map<string, { url: string; reading: Set<string> }[]>();
  for (const { url, readings } of others) {
    for (const reading of readings) {
      for (const text of reading) {
        urlsWith.set(text, [...(urlsWith.get(text) ?? []), { url, reading }]);
      }
    }
  }
  const count = { safe: 0, unsafe: 0, harmful: 0, covered: 0 };
  const clients = new Set<string>();
  for (const entry of entries) {
    const expression = exactExpression(entry);
    for (const variant of interopVariants(entry)) {
      const nearby = near(variant.text).flatMap((url) =>
        conformingExpressions(url)
          .filter((reading) => reading.has(variant.text))
          .map((reading) => ({ url, reading })),
      );
      const blocked = [...nearby, ...(urlsWith.get(variant.text) ?? [])];
      const harmed = blocked.filter(({ reading }) => !reading.has(expression));
      if (variant.isSafe) {
        count.safe++;
        expect(harmed, `${entry} → ${variant.text}`).toEqual([]);
        for (const client of variant.clients) clients.add(client);
      } else {
        count.unsafe++;
        if (harmed.length > 0) count.harmful++;
      }
    }
  }
  expect(count.safe).toBeGreaterThan(COUNT / 4);
  // Most unsafe variants would block other URLs for clients that follow the specifications. The rest would do so only
  // for the clients that look them up.
  expect(count.unsafe).toBeGreaterThan(COUNT / 5);
  expect(count.harmful).toBeGreaterThan(count.unsafe / 2);
  expect([...clients].sort()).toEqual([
    "chromium",
    "clamav",
    "firefox",
    "google-go",
    "google-webrisk",
  ]);
});

test("with the safe variants, a client blocks the URL as it is listed exactly when the report says so", {
  tags: "deep",
}, () => {
  const seen = new Set<string>();
  for (let i = 0; i < sampleSize(1500, 300); i++) {
    const entry = generateEntry();
    if (tryParseUrl(entry) === null || !/^[a-z]+:\/\//i.test(entry)) continue;
    const { expression, clients, variants } = reportEntry(entry);
    const published = new Set<string>([expression]);
    const withVariants = new Set<string>(published);
    for (const { text, isSafe } of variants) if (isSafe) withVariants.add(text);
    for (const { client, blocks, code, reason } of clients) {
      const has = (set: Set<string>) => (text: string) => set.has(text);
      const { texts } = readAs(client, entry);
      expect(texts.some(has(published)), `${client} ${entry}`).toBe(blocks === "entry");
      expect(texts.some(has(withVariants)), `${client} ${entry}`).toBe(blocks !== "no");
      expect(code === null).toBe(blocks === "entry");
      expect(reason === null).toBe(code === null);
      seen.add(`${client} ${blocks}`).add(code ?? "");
    }
  }
  for (const client of ["firefox", "google-go", "clamav"]) {
    for (const blocks of ["entry", "variant", "no"]) expect(seen).toContain(`${client} ${blocks}`);
  }
  for (const code of [
    ...["lower-case-escapes", "ipv6-written-otherwise", "other-address", "port-kept"],
    ...["fragment-kept", "dot-segments-kept", "slashes-kept"],
  ]) {
    expect(seen).toContain(code);
  }
});

test("plain URLs are taken the short way, with the same results", { tags: "deep" }, () => {
  const COUNT = sampleSize(20_000);
  const characters = "aab019._~-!$&()*+,;=:@/?";
  const labels = [...LABELS, "l".repeat(64), "rpz-ip", "xn--a"];
  const count = { alike: 0, different: 0 };
  for (let i = 0; i < COUNT; i++) {
    const tail = Array.from({ length: random(12) }, () => pick([...characters])).join("");
    const scheme = pick(["", "http://", "https://"]);
    const entry = `${scheme}${some(labels, 7).join(".")}.x${tail}`;
    if (tryParseUrl(entry) === null) continue;
    const expression = exactExpression(entry);
    const url = scheme === "" ? `http://${entry}` : entry;
    const { clients } = reportEntry(entry);
    for (const { client, blocks } of clients) {
      const finds = readAs(client, url).texts.includes(expression);
      expect(blocks === "entry", `${client} ${entry}`).toBe(finds);
    }
    const isAlike = clients.every(({ blocks }) => blocks === "entry");
    if (isAlike) expect(interopVariants(entry), entry).toEqual([]);
    count[isAlike ? "alike" : "different"]++;
  }
  expect(count.alike).toBeGreaterThan(COUNT / 10);
  expect(count.different).toBeGreaterThan(COUNT / 10);
});

// biome-ignore format: one line is easier to read.
const REPEATED = ["%25", "../", "a.", "@", "é", "%", "/", ".", " ", ":1", "[", "?", "#", "%41", "\\"];

test.each(CLIENTS)("%s reads any text, in linear time", (client) => {
  for (const text of firstOf(2, REPEATED)) {
    for (const start of ["http://h/", "http://", ""]) {
      expectLinearGrowth(
        (url: string) => readAs(client, url),
        (length) => start + text.repeat(length / text.length),
      );
    }
  }
  for (let i = 0; i < sampleSize(1500); i++) {
    const { exact, texts, problem } = readAs(client, generateInput());
    if (problem === null) expect(texts).toContain(exact);
    else expect([exact, texts]).toEqual([null, []]);
  }
});

test("what is not a URL or not a client is an error", () => {
  expect(() => interopVariants("mailto:a@b.c")).toThrow(
    expect.objectContaining({ name: "CanonError" }),
  );
  expect(() => reportEntry("http://")).toThrow(expect.objectContaining({ code: "host-missing" }));
  expect(() => reportEntry(1 as never)).toThrow(TypeError);
  expect(() => interopVariants(null as never)).toThrow(TypeError);
  expect(() => readAs("netscape" as never, "http://a.b/")).toThrow(/one of specification/);
  expect(() => readAs("toString" as never, "http://a.b/")).toThrow(TypeError);
  expect(() => readAs("firefox", undefined as never)).toThrow(TypeError);
});
