import { exactExpression } from "@x/expressions";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { randomNumbers, spoofedUrl } from "./spoofed-urls.ts";

const COUNT = sampleSize(300_000, 10_000);

/** Hosts with the folder that is listed there. */
const LISTED = [
  ["evil.example", "/"],
  ["195.127.0.11", "/"],
  ["[2001:db8::1]", "/"],
  ["xn--bcher-kva.example", "/"],
  ["folder.example", "/bad/"],
] as const;
const SPECIAL = ["http:", "https:", "ftp:", "ws:", "wss:"];

/** Whether a browser opens a listed host or folder, according to the platform's URL alone. */
function leadsToListed(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, "");
  return LISTED.some(
    ([listed, folder]) =>
      (host === listed || host.endsWith(`.${listed}`)) && url.pathname.startsWith(folder),
  );
}

/**
 * Whether a URL is an exception that the README explains: its folder is listed, and escapes in its path are dot
 * segments when they are unescaped. Browsers send such escapes as they are. The specification unescapes them, so that
 * the path leaves the folder.
 */
function leavesItsFolder(url: URL): boolean {
  if (!url.hostname.includes("folder.example")) return false;
  let path = url.pathname;
  for (let before = ""; before !== path; ) {
    before = path;
    path = path.replace(/%[0-9a-f]{2}/gi, (triplet) =>
      String.fromCharCode(Number.parseInt(triplet.slice(1), 16)),
    );
  }
  return /(?:^|\/)\.\.(?:\/|$)/.test(path.replace(/\?.*/s, ""));
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

test(`of ${COUNT} spoofed URLs, those that a browser opens at a listed host or folder are listed`, () => {
  const entries = LISTED.map(([host, folder]) =>
    fullHash(exactExpression(`http://${host}${folder}`)),
  );
  const list = prefixList(entries, { name: "l", created: 0 });
  const random = randomNumbers(20261122);
  const urls = Array.from({ length: COUNT }, () => spoofedUrl(random));
  const verdicts = checker(list).checkMany(urls);
  const seen = { listed: 0, inFolder: 0, byBrowser: 0, byBoth: 0, exceptions: 0 };
  const missed: string[] = [];
  for (const text of urls) {
    const { matches } = verdicts.next().value!;
    const url = parse(text);
    if (url === null || !SPECIAL.includes(url.protocol) || !leadsToListed(url)) continue;
    seen.listed++;
    if (url.hostname.includes("folder")) seen.inFolder++;
    if (matches.length > 0) {
      seen[matches.every(({ reading }) => reading === "browser") ? "byBrowser" : "byBoth"]++;
    } else if (leavesItsFolder(url)) seen.exceptions++;
    else missed.push(text);
  }
  expect(missed).toEqual([]);
  expect(seen.listed).toBeGreaterThan(COUNT / 5);
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(100));
});
