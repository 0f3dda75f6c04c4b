import { createHash } from "node:crypto";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";

/** The expressions as most people form them: the platform's URL, split and join. */
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

function checkerOf(rawHashes, engine) {
  return checker(prefixList([{ prefixBytes: 4, rawHashes }], { name: "bench" }), { engine });
}

function count(values, holds) {
  let number = 0;
  for (const value of values) if (holds(value)) number++;
  return number;
}

/** One string per call. */
function oneByOne(rawHashes, engine) {
  const { check } = checkerOf(rawHashes, engine);
  return ({ urls }) => count(urls, (url) => check(url).length > 0);
}

/** All lines in one call. */
function inBulk(rawHashes, engine) {
  const { scan } = checkerOf(rawHashes, engine);
  return ({ lines }) => scan(lines).findings.length;
}

/**
 * Each candidate takes the prefixes of a list, one after another, and returns a function that counts the listed
 * URLs of a run.
 */
export const candidates = {
  "new URL, split, createHash, Set": (rawHashes) => {
    const numbers = numbersOf(rawHashes);
    return ({ urls }) => count(urls, (url) => naiveCheck(url, numbers));
  },
  "check, one string per call": (rawHashes) => oneByOne(rawHashes, "webassembly"),
  "checkMany, strings": (rawHashes) => {
    const { checkMany } = checkerOf(rawHashes, "webassembly");
    return ({ urls }) => count(checkMany(urls), ({ matches }) => matches.length > 0);
  },
  "scan, bytes": (rawHashes) => inBulk(rawHashes, "webassembly"),
  "check, JavaScript engine": (rawHashes) => oneByOne(rawHashes, "javascript"),
  "scan, JavaScript engine": (rawHashes) => inBulk(rawHashes, "javascript"),
};
