import { createHash } from "node:crypto";

/** The expressions as they are usually formed: with the platform's URL, split and join. */
export function naiveExpressions(text) {
  const url = new URL(text);
  const labels = url.hostname.split(".");
  const hosts = [url.hostname];
  if (!/^[\d.]+$/.test(url.hostname)) {
    for (let i = Math.max(1, labels.length - 5); i < labels.length - 1 && hosts.length < 5; i++) {
      hosts.push(labels.slice(i).join("."));
    }
  }
  const paths = new Set();
  if (url.search) paths.add(url.pathname + url.search);
  paths.add(url.pathname);
  const parts = url.pathname.split("/").slice(1, -1);
  for (let i = 0; i <= Math.min(3, parts.length); i++) {
    paths.add(i === 0 ? "/" : `/${parts.slice(0, i).join("/")}/`);
  }
  return hosts.flatMap((host) => [...paths].map((path) => host + path));
}

function naiveCheck(url, numbers) {
  return naiveExpressions(url).some((expression) =>
    numbers.has(createHash("sha256").update(expression).digest().readUInt32BE(0)),
  );
}

function numbersOf(rawHashes) {
  const view = new DataView(rawHashes.buffer, rawHashes.byteOffset, rawHashes.byteLength);
  const numbers = new Set();
  for (let i = 0; i < rawHashes.length; i += 4) numbers.add(view.getUint32(i));
  return numbers;
}

/**
 * A list of the prefixes, which are 4 bytes each. The prefixes are passed one by one, because all versions accept that.
 */
function listOf(rawHashes, prefixList) {
  const count = rawHashes.length / 4;
  return prefixList(
    Array.from({ length: count }, (_, i) => rawHashes.subarray(4 * i, 4 * i + 4)),
    { name: "bench" },
  );
}

/** Checks one string per call. */
function oneByOne(engine) {
  return (rawHashes, checker, prefixList) => {
    const { check } = checker(listOf(rawHashes, prefixList), { engine });
    return ({ urls }, onListed) => {
      for (let i = 0; i < urls.length; i++) if (check(urls[i]).length > 0) onListed(i);
    };
  };
}

/** Scans all lines in one call. */
function inBulk(engine) {
  return (rawHashes, checker, prefixList) => {
    const { scan } = checker(listOf(rawHashes, prefixList), { engine });
    return ({ lines }, onListed) => {
      const { verdicts, findings } = scan(lines);
      // Earlier versions call them findings.
      for (const { line, matches } of verdicts ?? findings) if (matches.length > 0) onListed(line);
    };
  };
}

/**
 * Each candidate is a function of a list's prefixes, in one array, and of one version's `checker` and `prefixList`. It
 * returns a function that calls `onListed` with the index of each listed URL in a run.
 */
export const candidates = {
  "new URL, split, createHash, Set": (rawHashes) => {
    const numbers = numbersOf(rawHashes);
    return ({ urls }, onListed) => {
      for (let i = 0; i < urls.length; i++) if (naiveCheck(urls[i], numbers)) onListed(i);
    };
  },
  "check, one string per call": oneByOne("webassembly"),
  "checkMany, strings": (rawHashes, checker, prefixList) => {
    const { checkMany } = checker(listOf(rawHashes, prefixList), { engine: "webassembly" });
    return ({ urls }, onListed) => {
      let i = 0;
      for (const { matches } of checkMany(urls)) {
        if (matches.length > 0) onListed(i);
        i++;
      }
    };
  },
  "scan, bytes": inBulk("webassembly"),
  "check, JavaScript engine": oneByOne("javascript"),
  "scan, JavaScript engine": inBulk("javascript"),
};
