import { NetworkFilter, Request } from "@ghostery/adblocker";
import { canonicalize } from "@x/canon";
import { expressions } from "@x/expressions";
import { listSourceReader } from "@x/list-source";
import { isPublicSuffix } from "@x/list-source/public-suffixes";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

/** The entries and exceptions from one rule. */
function readRule(rule: string) {
  const found: string[] = [];
  const warnings: string[] = [];
  let exceptions = 0;
  const reader = listSourceReader({
    format: "adblock",
    isPublicSuffix,
    onEntry: ({ expression }) => found.push(expression!),
    onException({ expression }) {
      exceptions++;
      found.push(expression!);
    },
    onWarning: ({ code }) => warnings.push(code),
  });
  reader.push(new TextEncoder().encode(`${rule}\n`));
  const { refused } = reader.end();
  return { found, refused, exceptions, isNarrowed: warnings.includes("rule-narrowed") };
}

const HOSTS = ["a.example", "login.shop.com", "www.bank.co.uk", "dnb.no"];
const PATHS = ["", "/", "/kit", "/kit/", "/kit/x.php", "/kit/x/y/", "/kit?a=1", "/kit/?a=/b/"];

/** The forms of rules that docs/list-formats.md lists as exact, for which another engine blocks the same URLs. */
const EXACT: readonly RegExp[] = [
  /^(?:@@)?\|\|[a-z0-9.-]+\^\*?(?:\$|$)/,
  /^(?:@@)?\|\|[a-z0-9.-]+(?:\/[^?|^*$]*)?\/\*?(?:\$|$)/,
  /^(?:@@)?\|\|[a-z0-9.-]+\/[^?|^*$]*[^/?|^*$]\^\*?(?:\$|$)/,
  /^(?:@@)?\|\|[a-z0-9.-]+\/[^?|^*$]*\?[^|^*$]*\|(?:\$|$)/,
];

/**
 * The rule that the entry of any other rule stands for, as described in docs/list-formats.md. If a rule does not mark
 * the end of a host, or ends it with a bar, the entry covers the host. A rule with a scheme covers the host with any
 * scheme, and the hosts below it. A page is listed with any query.
 */
function asDocumented(rule: string): string[] {
  const [, at = "", pattern = "", options = ""] = /^(@@)?([^$]*)(\$.*)?$/.exec(rule)!;
  const host = pattern
    .replace(/^\|?https?:\/\/|^\|\|\*\.|^(?=[a-z0-9])/i, "||")
    .replace(/^(\|\|[^/?|^*]+)(?:\^?\||\^?\*|\^)?$/, "$1^");
  // A query is listed as it is.
  if (host.includes("?")) return [`${at}${host.replace(/(?:\^?\||\^?\*|\^)$/, "")}|${options}`];
  const page = /^(\|\|[^/?|^*]+\/(?:[^?|^*]*[^/?|^*])?[^/?|^*])(\^?\|?|\^?\*)$/.exec(host);
  if (page === null) return [at + host + options];
  const [, start, end] = page;
  const folder = end === "^" || end === "^*" ? [`${start}/`] : [];
  return [`${start}|`, `${start}?`, ...folder].map((each) => at + each + options);
}

const parsed = new Map<string, NetworkFilter>();
function blocks(rule: string, request: Request): boolean {
  const filter = parsed.get(rule) ?? NetworkFilter.parse(rule);
  if (filter === null) throw new Error(`The engine does not read ${rule}`);
  parsed.set(rule, filter);
  return filter.match(request);
}

const rules = fc.tuple(
  fc.constantFrom(
    ...["||", "||", "||", "||", "||", "||", "||", "||"],
    ...["@@||", "@@||", "@@||"],
    "||*.",
    "|http://",
    "|https://",
    "http://",
    "",
    "|",
    "||.",
  ),
  fc.constantFrom(
    ...HOSTS,
    "roblox.com.",
    "dnb.no.",
    "booking.com-id",
    "shop.unknown",
    "LOGIN.shop.COM",
    "203.0.113.7",
  ),
  fc.constantFrom(
    ...PATHS,
    ...["", "", "", "", "", "", ""],
    "//",
    "/kit//",
    "/./",
    "/kit/../",
    "/kit/%2e%2e/",
    "/%6Bit/",
    "/a%2Fb/",
    "/kit#x",
    "?a=1",
    "/kit?",
  ),
  fc.constantFrom("", "", "", "", "", "^", "^", "|", "^|", "*", "^*", "/*", "*kit", "."),
  fc.constantFrom(
    "",
    "",
    "",
    "",
    "$all",
    "$document",
    "$important",
    "$third-party",
    "$~third-party",
    "$script",
    "$badfilter",
    "$domain=other.test",
    "$domain=~other.test",
    "$all,domain=~other.test|~more.test",
    "$domain=~a.example",
    "$domain=~www.a.example",
    "$domain=~example",
    "$domain=~login.shop.com",
    "$all,domain=~x.dnb.no",
  ),
);

/** URLs of a host, and of hosts above, below and beside it. */
function urlsNear(host: string): { url: string; listable: readonly string[]; request: Request }[] {
  const name = host.toLowerCase().replace(/\.$|-id$/, "");
  const before = ["", "www.", "x.y.", "not"];
  const after = ["", "-id", ".evil.test", "munity"];
  const paths = [
    ...PATHS,
    "/kitchen",
    "/kit/x",
    "/kit/x.php?b=2",
    "/kit?a=12",
    "/a/b/",
    "/kit/?a=/b/c",
  ];
  const more = ["//kit", "/~x", "/kit%2Fx", "/a/../kit/", "/kit/x/y/z/1/2/3"];
  const hosts = before.flatMap((start) => after.map((end) => start + name + end));
  hosts.push(name.replace(/^[^.]*\./, ""), "other.test");
  const all = hosts.flatMap((each, i) =>
    [...paths, ...more].map((path, k) => `http${(i + k) % 3 === 0 ? "" : "s"}://${each}${path}`),
  );
  return all
    .filter((url) => URL.canParse(url))
    .map((text) => {
      // Rules are compared with a URL as it is written, entries with its canonical form.
      const url = canonicalize(new URL(text).href);
      const request = Request.fromRawDetails({ url, sourceUrl: url, type: "main_frame" });
      return { url, listable: expressions(url), request };
    });
}

const urlsByHost = new Map<string, ReturnType<typeof urlsNear>>();

test("an accepted rule blocks the URLs of its entry, as another engine reads rules", () => {
  const seen = {
    exact: 0,
    documented: 0,
    narrowed: 0,
    exceptions: 0,
    blocked: 0,
    open: 0,
    refused: 0,
  };
  fc.assert(
    fc.property(rules, (parts) => {
      const rule = parts.join("");
      const { found, refused, exceptions, isNarrowed } = readRule(rule);
      if (refused > 0) seen.refused++;
      if (found.length === 0) return;
      expect(refused).toBe(0);
      if (exceptions > 0) seen.exceptions++;
      if (isNarrowed) seen.narrowed++;
      const isExact = EXACT.some((form) => form.test(rule));
      seen[isExact ? "exact" : "documented"]++;
      if (/^\|\|[^/^|*]+(?:\$|$)/.test(rule)) seen.open++;
      const meant = asDocumented(rule);
      const urls = urlsByHost.get(parts[1]) ?? urlsNear(parts[1]);
      urlsByHost.set(parts[1], urls);
      for (const { url, listable, request } of urls) {
        const isListed = listable.some((each) => found.includes(each));
        if (isListed) seen.blocked++;
        const name = `${rule} and ${url}`;
        expect(
          meant.some((each) => blocks(each, request)),
          name,
        ).toBe(isListed);
        if (isExact) expect(blocks(rule, request), name).toBe(isListed);
      }
    }),
    { seed: 20261126, numRuns: sampleSize(6000, 500) },
  );
  for (const [name, count] of Object.entries(seen))
    expect(count, name).toBeGreaterThan(fewest(100));
});
