import { domainToASCII } from "node:url";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPolicy } from "../../src/dns/lists.ts";
import { hostOfName, nameBytes } from "../../src/dns/message.ts";
import { hashesOf, NO_LISTS } from "../support/dns.ts";

const LISTED = ["evil.example", "b.c.evil.test", "xn--bcher-kva.example", "1.2.3.4", "a_b.test"];
const { decide } = createPolicy({ allow: [], block: hashesOf(LISTED), lists: NO_LISTS });
const { check } = checker(prefixList(hashesOf(LISTED)));

/** Whether a URL with this host is listed. A text that is not a URL is on no list. */
function isListed(host: string): boolean {
  try {
    return check(`http://${host}/`).length > 0;
  } catch {
    return false;
  }
}

/** Whether no host of a URL can have a label. */
const isUnusable = (label: string) => /[^\0-\x7f]/.test(label) && domainToASCII(label) === "";

const label = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("evil", "EVIL", "a", "b", "c", "www", "x1", "_dmarc") },
  fc.constantFrom("bücher", "BÜCHER", "xn--bcher-kva", "xn--a", "1", "0x1", "a_b", "-", "*"),
  fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 8 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
);
const ending = fc.constantFrom(
  "evil.example",
  "c.evil.test",
  "bücher.example",
  "1.2.3.4",
  "example",
  "b.test",
);

test("names are blocked exactly as check says of http://NAME/", () => {
  const seen = { listed: 0, clean: 0, ascii: 0, other: 0 };
  fc.assert(
    fc.property(
      fc.array(label, { maxLength: 7 }),
      ending,
      fc.constantFrom("", "."),
      (labels, last, dot) => {
        const name = `${[...labels, last].join(".")}${dot}`;
        // In a URL, these characters end the host, are left out, or begin a percent-encoded byte.
        if (/[\0- %/\\?#@:[\]\x7f<>^|]/.test(name) || nameBytes(name) === null) return;
        if (name.split(".").some(isUnusable)) return;
        const expected = isListed(name);
        expect(decide(hostOfName(name))).toMatchObject({ kind: expected ? "block" : "forward" });
        seen[expected ? "listed" : "clean"]++;
        seen[/^[\w.-]+$/.test(name) ? "ascii" : "other"]++;
      },
    ),
    { seed: 20261129, numRuns: sampleSize(100_000) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(2000));
});

test("names that no URL can have are blocked with the hosts above them", () => {
  const isBlocked = (name: string) =>
    (decide(hostOfName(name)) as { kind: string }).kind === "block";
  expect(isBlocked("a/b.evil.example")).toBe(true);
  expect(isBlocked("a b.c.evil.example")).toBe(true);
  expect(isBlocked("%2f.evil.example")).toBe(true);
  expect(isBlocked("a%252fb.evil.example")).toBe(true);
  expect(isBlocked("x@y.good.example")).toBe(false);
  expect(isBlocked("evil.example#")).toBe(false);
  expect(isBlocked("a/1.2.3.4")).toBe(false);
  expect(isBlocked("/.a.b.c.d.e.f.evil.example")).toBe(true);
  expect(isBlocked("a^.bücher.example")).toBe(true);
  expect(isBlocked("\\255.bücher.example")).toBe(true);
  expect(isBlocked("bücher.\\255.example")).toBe(false);
  // With the registrable domain co.d.example, the entry of a list of v5 can have all of these labels.
  expect(hostOfName("x y.a.b.c.co.d.example")).toBe("a.b.c.co.d.example");
});
