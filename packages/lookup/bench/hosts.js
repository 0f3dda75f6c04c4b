// Times checks of hosts and of URLs, also with a list that is marked to have only entries for whole hosts:
// `pnpm --filter @x/lookup bench:hosts [FILE]`. FILE has one URL per line. Without it, URLs are made up.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tryParseUrl } from "@x/canon";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { compare, printMachine, printTimings } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LIST_SIZE = 1_000_000;

const [file] = process.argv.slice(2);
const lines = file === undefined ? makeUrls(50_000) : readFileSync(file, "utf8").split(/\r?\n/);
const { checkMany } = checker(prefixList([]));
const urls = lines
  .map((line) => tryParseUrl(line))
  .filter((url) => url?.hostType === "domain")
  .filter((url) => [...checkMany([`http://${url.host}/`, url.href])].every((each) => !each.error));

/** A million prefixes of 8 bytes. Every twentieth host is listed that only one URL has. */
function makeList() {
  const texts = Array.from({ length: LIST_SIZE }, (_, i) => `made up ${i}`);
  const counts = new Map();
  for (const { host } of urls) counts.set(host, (counts.get(host) ?? 0) + 1);
  const single = [...counts.keys()].filter((host) => counts.get(host) === 1);
  for (let i = 0; i < single.length; i += 20) texts[i] = `${single[i]}/`;
  const hashOf = (text) => createHash("sha256").update(text).digest().subarray(0, 8);
  return prefixList(texts.map(hashOf), { name: "bench" });
}

const list = makeList();

/** A candidate with a checker of its own, which counts the listed ones. */
function counting(check, options = {}) {
  const own = checker(list, options);
  return (some) => {
    let listed = 0;
    for (const url of some) if (check(own, url).length > 0) listed++;
    return listed;
  };
}

const onHosts = {
  "checkHost(host)": counting((own, { host }) => own.checkHost(host)),
  "check of http://HOST/": counting((own, { host }) => own.check(`http://${host}/`)),
};
const checkUrl = (own, { href }) => own.check(href);
const onUrls = {
  "check(url)": counting(checkUrl),
  "check(url), a list of whole hosts": counting(checkUrl, { onlyHosts: list }),
};
const inJavaScript = {
  "check(url), JavaScript engine": counting(checkUrl, { engine: "javascript" }),
  "check(url), JavaScript engine, a list of whole hosts": counting(checkUrl, {
    ...{ engine: "javascript", onlyHosts: list },
  }),
};

printMachine();
console.log(
  `${urls.length} hosts against ${LIST_SIZE} prefixes, one core; the candidates of each kind agree\n`,
);
const options = { inputs: [urls], items: urls.length };
printTimings("", "host", [
  ...(await compare({ ...options, candidates: onHosts })),
  ...(await compare({ ...options, candidates: onUrls })),
  ...(await compare({ ...options, candidates: inJavaScript })),
]);
