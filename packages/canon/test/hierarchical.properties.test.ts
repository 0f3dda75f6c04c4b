import { canonicalizeHierarchical, formatUri, parseUri } from "@x/canon/hierarchical";
import { anyCharacter } from "@x/test-support/generated-text";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const seed = 2002_09_17;
const runs = { seed, numRuns: sampleSize(5000) };

/** Small alphabets, so that several rules of Appendix A often apply to one URI. */
const segment = fc.constantFrom(
  ...["", "", "a", "B", ".", "..", "index.html", "index.htm", "INDEX.HTML", "x.html", "y.JPEG"],
  ...["c.text", "d.ram", "%41", "%6a", "é", "1:2", "@"],
);
const path = fc.array(segment, { maxLength: 4 }).map((all) => all.map((s) => `/${s}`).join(""));
const authority = fc
  .record({
    user: fc.constantFrom("", "", "", "@", "u@", "U:p@", "a@b@"),
    host: fc.constantFrom(
      ...["h", "H.X", "01.2.003.4", "01.2.3", "1.2.3.4.", "[::01]", "[FE80::0a]", "", "[", "a:b"],
    ),
    port: fc.constantFrom("", "", ":", ":80", ":080", ":0", ":00", ":443", ":01234", ":x"),
  })
  .map(({ user, host, port }) => `//${user}${host}${port}`);
const uri = fc
  .record({
    scheme: fc.constantFrom("http", "HTTP", "https", "ftp", "foo", "file", "Ws"),
    authority: fc.oneof({ weight: 5, arbitrary: authority }, fc.constantFrom("", "//")),
    path,
    query: fc.constantFrom("", "", "?", "?Q", "?a//b.html"),
    fragment: fc.constantFrom("", "", "#", "#F", "#a?b"),
  })
  .map((u) => `${u.scheme}:${u.authority}${u.path}${u.query}${u.fragment}`);
const keep = fc.record({ keepQuery: fc.boolean(), keepFragment: fc.boolean() });
const variant = fc.constantFrom("N" as const, "P" as const);

interface Keep {
  readonly keepQuery: boolean;
  readonly keepFragment: boolean;
}

/** RFC 2396 Appendix B. */
const APPENDIX_B = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/s;

const lower = (text: string) =>
  [...text].map((c) => (c >= "A" && c <= "Z" ? c.toLowerCase() : c)).join("");

const SERVER_SCHEMES: Record<string, number> = { http: 80, https: 443, ftp: 21, ws: 80 };

const SHORTER: Record<string, string> = {
  ".html": ".htm",
  ".jpeg": ".jpg",
  ".text": ".txt",
  ".ram": ".ra",
};

/**
 * A second implementation of Appendix A, as one function that follows the draft and shares no code with the package.
 */
function appendixA(text: string, variant: "N" | "P", { keepQuery, keepFragment }: Keep): string {
  const [, , rawScheme, , rawAuthority, rawPath, rawQuery, , rawFragment] = APPENDIX_B.exec(text)!;
  const caseOf = variant === "P" ? lower : (s: string) => s;
  const scheme = lower(rawScheme!);
  let authority = caseOf(rawAuthority ?? "");
  const at = authority.lastIndexOf("@");
  const server = /^(\[[^[\]]*\]|[^[\]:]+)(:\d*)?$/.exec(authority.slice(at + 1));
  if (server !== null && scheme in SERVER_SCHEMES) {
    const ip = /^\d+(\.\d+){3}$/.test(server[1]!) || /^\[[\da-f:.]+\]$/i.test(server[1]!);
    const host = lower(server[1]!).replace(/[^.:[\]]+/g, (number) =>
      ip ? number.replace(/^0+(\w)/, "$1") : number,
    );
    const digits = server[2]?.slice(1) ?? "";
    const isDefault = digits !== "" && BigInt(digits) === BigInt(SERVER_SCHEMES[scheme]!);
    const port = digits === "" || isDefault ? "" : `:${BigInt(digits)}`;
    authority = (at > 0 ? authority.slice(0, at + 1) : "") + host + port;
  }
  let segments = caseOf(rawPath!).split("/").slice(1);
  if (variant === "P") segments = segments.filter(Boolean);
  let last = segments.pop();
  if (variant === "P") {
    last = last?.replace(/\.(html|jpeg|text|ram)$/, (extension) => SHORTER[extension]!);
  }
  if (scheme === "http" && (last === "index.html" || last === "index.htm")) last = "";
  if (last !== undefined) segments.push(last);
  const newPath = segments.map((s) => `/${s}`).join("");
  const slashes = authority !== "" || newPath.startsWith("//") ? "//" : "";
  const query = keepQuery && rawQuery ? caseOf(rawQuery) : "";
  const fragment = keepFragment && rawFragment ? caseOf(rawFragment) : "";
  return `${scheme}:${slashes}${authority}${newPath}${query}${fragment}`;
}

describe("canonicalizeHierarchical", () => {
  test("agrees with a plain implementation of Appendix A", () => {
    const seen = { N: 0, P: 0 };
    fc.assert(
      fc.property(uri, variant, keep, (text, variant, keep) => {
        seen[variant]++;
        expect(canonicalizeHierarchical(text, { variant, ...keep })).toBe(
          appendixA(text, variant, keep),
        );
      }),
      runs,
    );
    expect(Math.min(seen.N, seen.P)).toBeGreaterThan(fewest(1000));
  });

  test("variant N is idempotent", () => {
    let changed = 0;
    fc.assert(
      fc.property(uri, keep, (text, keep) => {
        const once = canonicalizeHierarchical(text, { variant: "N", ...keep });
        if (once !== text) changed++;
        expect(canonicalizeHierarchical(once, { variant: "N", ...keep })).toBe(once);
      }),
      runs,
    );
    expect(changed).toBeGreaterThan(fewest(1000));
  });

  /** Whether step (8) leaves an empty segment, which step (6) removes in a second run. */
  const removesIndexFile = (text: string): boolean =>
    /^http:(\/\/[^/?#]*(?=\/)|(?!\/\/))[^?#]*\/index\.html?\/*([?#]|$)/i.test(text);

  test("variant P is idempotent, except where step (8) empties a segment", () => {
    const seen = { idempotent: 0, not: 0 };
    fc.assert(
      fc.property(uri, keep, (text, keep) => {
        const once = canonicalizeHierarchical(text, { variant: "P", ...keep });
        const twice = canonicalizeHierarchical(once, { variant: "P", ...keep });
        if (removesIndexFile(text)) {
          seen.not++;
          expect(twice).not.toBe(once);
        } else {
          seen.idempotent++;
          expect(twice).toBe(once);
        }
      }),
      runs,
    );
    expect(Math.min(seen.not, seen.idempotent)).toBeGreaterThan(fewest(100));
  });

  test("P equates all URIs that N equates, except when step (8) empties the last segment of only one", () => {
    const seen = { equal: 0, exceptions: 0 };
    const emptied = (text: string) => /^http:[^?#]*\/index\.html?([?#]|$)/i.test(text);
    const close = fc
      .record({
        start: fc.constantFrom("http://h", "HTTP://H:080", "http://@h:", "http://h:80"),
        segments: fc.array(fc.constantFrom("", "A", "x.html", "index.html", "index.htm"), {
          maxLength: 3,
        }),
      })
      .map(({ start, segments }) => [start, ...segments].join("/"));
    fc.assert(
      fc.property(close, close, (a, b) => {
        const [n, otherN] = [a, b].map((x) => canonicalizeHierarchical(x, { variant: "N" }));
        const [p, otherP] = [a, b].map((x) => canonicalizeHierarchical(x, { variant: "P" }));
        if (n !== otherN || a === b) return;
        seen[emptied(a) === emptied(b) ? "equal" : "exceptions"]++;
        if (emptied(a) === emptied(b)) expect(p).toBe(otherP);
        else expect(p).not.toBe(otherP);
      }),
      runs,
    );
    expect(seen.equal).toBeGreaterThan(fewest(100));
    expect(seen.exceptions).toBeGreaterThan(0);
  });

  test("any text gives a result or a CanonError", () => {
    const seen = { text: 0, error: 0 };
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
      fc
        .array(fc.constantFrom(..."hH:/?#[]@%.0189 \ud800é".split("")), { maxLength: 12 })
        .map((cs) => cs.join("")),
      uri,
    );
    fc.assert(
      fc.property(
        anything,
        fc.option(anything, { nil: undefined }),
        variant,
        (text, base, variant) => {
          try {
            expect(canonicalizeHierarchical(text, { variant, base })).toMatch(/^[a-z]/);
            seen.text++;
          } catch (error) {
            expect(error).toMatchObject({ name: "CanonError" });
            seen.error++;
          }
        },
      ),
      runs,
    );
    expect(Math.min(seen.text, seen.error)).toBeGreaterThan(fewest(500));
  });

  test.each([
    ["segments", (n: number) => `http://h${"/a".repeat(n)}/index.html`],
    ["empty segments", (n: number) => `http://h${"/".repeat(n)}`],
    ["users", (n: number) => `http://${"u@:".repeat(n)}h/`],
    ["zeroes in a port", (n: number) => `http://h:${"0".repeat(n)}1/`],
    ["zeroes in an address", (n: number) => `http://${"0".repeat(n)}.0.0.1/`],
    ["zeroes that end in no digit", (n: number) => `http://[${"0".repeat(n)}]:${"0".repeat(n)}x/`],
    ["colons and brackets", (n: number) => `http://${"[:".repeat(n)}`],
    ["letters", (n: number) => `http://${"aB".repeat(n)}/${"Ab".repeat(n)}`],
    ["marks", (n: number) => `http://h/${"?#".repeat(n)}`],
    ["extensions", (n: number) => `http://h/${".html".repeat(n)}`],
  ])("takes linear time: %s", (_, make) => {
    const canonicalizeBoth = (text: string) => {
      for (const variant of ["N", "P"] as const) canonicalizeHierarchical(text, { variant });
    };
    expectLinearGrowth(canonicalizeBoth, make);
  });
});

describe("parseUri", () => {
  const relative = fc
    .record({
      start: fc.constantFrom("", "", "/", "//h/"),
      segments: fc.array(fc.constantFrom(".", "..", "", "g", "h;x", "..."), { maxLength: 6 }),
      end: fc.constantFrom("", "?y/../z", "#s/.."),
    })
    .map((r) => r.start + r.segments.join("/") + r.end);
  const basePath = fc
    .array(fc.constantFrom(".", "..", "", "b", "c;p"), { maxLength: 5 })
    .map((segments) => segments.map((s) => `/${s}`).join(""));

  /** RFC 2396 §5.2 taken literally: step 6 as replacements in a string buffer, and step 7. */
  function resolveByTheLetter(reference: string, base: string): string {
    const r = APPENDIX_B.exec(reference)!;
    const b = APPENDIX_B.exec(base)!;
    if (r[5] === "" && r[3] === undefined && r[6] === undefined) {
      return base.replace(/#.*$/s, "") + (r[8] ?? "");
    }
    let path = r[5]!;
    if (r[3] === undefined && !path.startsWith("/")) {
      let buffer = b[5]!.slice(0, b[5]!.lastIndexOf("/") + 1);
      if (buffer === "" && path !== "") buffer = "/";
      buffer += path;
      while (/(^|\/)\.\//.test(buffer)) buffer = buffer.replace(/(^|\/)\.\//, "$1");
      buffer = buffer.replace(/(^|\/)\.$/, "$1");
      // The leading slash does not end a segment: C.2 prints "http://a/../g".
      const climb = /^(\/|.*?\/)(?!\.\.\/)[^/]*\/\.\.\//s;
      while (climb.test(buffer)) buffer = buffer.replace(climb, "$1");
      path = buffer.replace(/^(.*\/)(?!\.\.\/)[^/]*\/\.\.$/s, "$1");
    }
    return b[1] + (r[3] ?? b[3] ?? "") + path + (r[6] ?? "") + (r[8] ?? "");
  }

  test("agrees with RFC 2396 §5.2 taken literally", () => {
    let dots = 0;
    fc.assert(
      fc.property(relative, basePath, fc.constantFrom("", "?q", "#f"), (reference, path, end) => {
        const base = `http://a${path}${end}`;
        if (reference.includes("..")) dots++;
        expect(formatUri(parseUri(reference, base))).toBe(resolveByTheLetter(reference, base));
      }),
      runs,
    );
    expect(dots).toBeGreaterThan(fewest(1000));
  });

  test("takes linear time", () => {
    const reference = (n: number) => `${"a/".repeat(n)}${"../".repeat(n)}${"./".repeat(n)}`;
    const resolve = (text: string) => parseUri(text, "http://a/b");
    expectLinearGrowth(resolve, reference);
  });
});
