import { FiltersEngine, Request } from "@ghostery/adblocker";
import { expressions } from "@x/expressions";
import { listSourceReader } from "@x/list-source";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const HOSTS = ["evil.example", "www.evil.example", "good.evil.example", "bad.test", "cdn.bad.test"];

/** Comments, and lines that look like sections. The words are data: no reader knows them. */
const remarks = fc
  .tuple(
    fc.constantFrom("! ", "!", "# ", "! Title: "),
    fc.constantFrom(
      ...["Whitelist", "Beyaz liste", "Till\u00e5tna dom\u00e4ner", "keep these reachable"],
      ...[
        "\u767d\u540d\u5355",
        "\u0411\u0435\u043b\u044b\u0439 \u0441\u043f\u0438\u0441\u043e\u043a",
      ],
      ...["Liste blanche", "Lista blanca", "Allowlist", "Erlaubt", "do not block", "[allow]"],
    ),
  )
  .map((parts) => parts.join(""));

const rules = fc
  .tuple(
    fc.constantFrom("||", "||", "||", "||", "@@||"),
    fc.constantFrom(...HOSTS, "EVIL.example"),
    fc.constantFrom("^", "^", "^", "/kit/", "^*", "/kit/*"),
    fc.constantFrom(
      ...["", "", "", "", "$all", "$document", "$important", "$third-party", "$script"],
      ...["$badfilter", "$important,badfilter", "$domain=other.test", "$domain=~other.test"],
    ),
  )
  .map((parts) => parts.join(""));

const lines = fc.oneof(
  { weight: 6, arbitrary: rules },
  { weight: 3, arbitrary: remarks },
  fc.constantFrom(
    ...["[Adblock Plus 2.0]", "example.com##.ad", "evil.example#@#.ad", "##.banner", "", "!#endif"],
    ...["!#if false", "!#if env_firefox", "!#if !env_mobile", "!#else", "!#include more.txt"],
    ...[
      "/evil\\.example/",
      "||bad.*^",
      "!+ NOT_OPTIMIZED PLATFORM(windows)",
      "[allow]",
      "Whitelist:",
    ],
  ),
);

/** Pages of a host, and of hosts above, below and beside it. */
const PAGES = HOSTS.flatMap((host) => [host, `a.${host}`, `not${host}`, `${host}.other.test`])
  .flatMap((host) => ["/", "/kit/", "/kit/x", "/kitchen"].map((path) => `https://${host}${path}`))
  .map((url) => ({
    url,
    listable: expressions(url),
    request: Request.fromRawDetails({ url, sourceUrl: url, type: "main_frame" }),
  }));

function read(source: readonly string[]) {
  const entries = new Set<string | null>();
  const refused = new Set<number>();
  const reader = listSourceReader({
    format: "adblock",
    onEntry: ({ expression }) => entries.add(expression),
    onRefusal: ({ line }) => refused.add(line - 1),
  });
  reader.push(new TextEncoder().encode(source.map((line) => `${line}\n`).join("")));
  reader.end();
  return { entries, kept: source.filter((_, i) => !refused.has(i)) };
}

test("the entries of a list block what an engine blocks with the lines that are not refused", () => {
  const seen = { blocked: 0, open: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 12 }), (source) => {
      const { entries, kept } = read(source);
      if (kept.length < source.length) seen.refused++;
      const engine = FiltersEngine.parse(kept.join("\n"), { loadPreprocessors: true });
      for (const { url, listable, request } of PAGES) {
        const isListed = listable.some((each) => entries.has(each));
        seen[isListed ? "blocked" : "open"]++;
        expect(engine.match(request).match, `${url} in\n${source.join("\n")}`).toBe(isListed);
      }
    }),
    { seed: 20261128, numRuns: sampleSize(3000, 200) },
  );
  for (const [name, count] of Object.entries(seen))
    expect(count, name).toBeGreaterThan(fewest(100));
});
