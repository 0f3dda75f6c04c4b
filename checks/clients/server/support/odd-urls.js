import { words } from "../../../support/words.js";
/** A sequence of numbers from 0 to 1 that is the same in every run (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SCHEMES = ["http://", "http://", "http://", "http://", "https://", "HTTP://"];
const USERS = ["", "", "", "", "", "user@", "user:word@"];
const PORTS = ["", "", "", "", "", ":8080", ":80", ":443", ":"];
const LABELS = words(`
  a bad www x-y login xn--bcher-kva evil mail1 A b_c %61
`);
const ENDS = ["evil.test", "bad.test", "a.test", "b.co.test", "github.test"];
const HOSTS = words(`
  192.0.2.1 0xc0.0.2.1 3221225985 0300.0.2.1 192.0.513 [2001:db8::1] [2001:DB8:0:0::a]
  [::ffff:192.0.2.1] 192.0.2.1. 264.0.2.1 1.2.3.4.5
`);
const SEGMENTS = [
  ...words(`
  a b index.html B x%20y %41 %2541 %25 %C3%A9 %c3%a9 é %2F %2e%2e .. . a%2Fb ..%2F %23 %3F ~ + a;b
  a&b
`),
  "",
  ...words(`
  a'b (c) %5C %%32%35 %00 %7f
`),
  "a b",
  "{}",
  "|",
  "^",
];
const QUERIES = [
  "",
  "",
  "",
  ...words(`
  ? ?q ?q=1&r=2 ?%C3%A9 ?%2541 ?a/b/c ?a//b ?%23 ?.. ?a?b ?%20 ?' ?"<>
`),
];
const FRAGMENTS = ["", "", "", "", "#top", "#a/b", "#"];

/** URLs of many shapes, as people write them, in mail and elsewhere. */
export function oddUrls(count, seed, options = {}) {
  const next = randomNumbers(seed);
  const pick = (values) => values[Math.floor(next() * values.length)];
  const { asciiOnly = false } = options;
  const many = (values, most) =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, () => pick(values));
  const host = () => {
    const kind = next();
    if (kind < 0.12) return pick(HOSTS);
    const name = [...many(LABELS, kind > 0.9 ? 8 : 3), pick(ENDS)].join(".");
    return name + (next() < 0.05 ? "." : "");
  };
  const path = () => {
    const segments = many(SEGMENTS, next() > 0.85 ? 7 : 3);
    return next() < 0.04
      ? ""
      : `/${segments.join("/")}${next() < 0.3 && segments.length > 0 ? "/" : ""}`;
  };
  const urls = new Set();
  while (urls.size < count) {
    const url =
      pick(SCHEMES) + pick(USERS) + host() + pick(PORTS) + path() + pick(QUERIES) + pick(FRAGMENTS);
    if (!asciiOnly || /^[\x20-\x7e]*$/.test(url)) urls.add(url);
  }
  return [...urls];
}
