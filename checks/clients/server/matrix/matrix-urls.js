import { words } from "../../../support/words.js";
import { oddUrls, randomNumbers } from "../support/odd-urls.js";

const HOSTS = words(`
  evil.test www.bad.test a.b.c.d.evil.test a.b.c.d.e.f.g.evil.test x-y.bad_one.test github.io
  b.c.d.e.co.uk shop.co.test b\u00fccher.test xn--mnchen-3ya.test single 192.0.2.7 0xc0.0.2.8
  3221225993 [2001:db8::1] [2001:db8::a] [2001:DB8:0::c] [::ffff:192.0.2.10]
`);
const PATHS = words(`
  / /kit/ /kit/login.html /1/2/3/4/5/ /1/2/3/page /caf%C3%A9 /caf\u00e9/menu /a%20b /%41%42 /a%2Fb
  /a%2Fb/..%2Fc /..%2Fup /x//y /x/./y/../z /%2525 /a%23b /a%3Fb /a%5Cb /q? /q?a=1&b=2 /q?%C3%A9
  /q?%2541 /q?u=http://x.test/ /;p=1 /~user/ /%7euser/ /A/B
`);

/** About 200 list entries of many shapes. A publisher refuses none of them. */
export function matrixEntries() {
  const next = randomNumbers(200);
  const entries = new Set();
  for (const host of HOSTS) {
    for (const path of PATHS) {
      if (next() > 0.45) continue;
      const port = next() < 0.1 ? ":8080" : "";
      const fragment = next() < 0.05 ? "#top" : "";
      entries.add(`http://${host}${port}${path}${fragment}`);
    }
  }
  return [...entries];
}

/** IP addresses stay as they are, because no browser opens an escaped address. */
const escapeLetter = (text) =>
  text.includes("[")
    ? text
    : text.replace(/[a-z](?=[^a-z]*$)/, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** Ways to write a URL that most, but not all, clients read in the same way. */
const SPELLINGS = [
  (url) => url,
  (url) => url.replace("http://", "https://"),
  (url) => url.replace("http://", "HTTP://"),
  (url) => url.replace("http://", "http://user@"),
  (url) => url.replace(/^(http:\/\/[^/:]+)(?=\/)/, "$1:8443"),
  (url) => url.replace(/^(http:\/\/[^/:[]+)(?=[:/])/, "$1."),
  (url) => `${url}#fragment`,
  (url) => `${url}${url.includes("?") ? "&" : "?"}more=1`,
  (url) => url.replace(/(\/[^/?#]*)([?#]|$)/, "/./here/..$1$2"),
  (url) => url.replace(/^(http:\/\/[^/]+)\//, "$1//"),
  (url) => url.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase()),
  (url) => url.replaceAll("%", "%25"),
  escapeLetter,
];

/** URLs near an entry: below it, above it, and beside it. */
const NEIGHBOURS = [
  (url) => url.replace("http://", "http://www."),
  (url) => url.replace("http://", "http://one.two.three.four.five.six."),
  (url) => url.replace("http://", "http://not"),
  (url) => url.replace(/([^/?#]*)([?#].*)?$/, "$1/below"),
  (url) => url.replace(/[^/?#]*([?#].*)?$/, "sibling"),
  (url) => url.replace(/\/[^/?#]*\/?([?#].*)?$/, "/"),
  (url) => `${url}x`,
];

/** 1 000 URLs: spellings and neighbours of the entries, and others. */
export function matrixUrls(entries) {
  const next = randomNumbers(1000);
  const pick = (values) => values[Math.floor(next() * values.length)];
  const urls = new Set();
  const add = (url) => {
    // A text without a host is not a URL.
    if (/^https?:\/\/[^/?#]/i.test(url)) urls.add(url);
  };
  while (urls.size < 800) {
    const entry = pick(entries);
    add(next() < 0.6 ? pick(SPELLINGS)(entry) : pick(SPELLINGS)(pick(NEIGHBOURS)(entry)));
  }
  for (const url of oddUrls(1200, 3)) {
    if (urls.size < 1000) urls.add(url);
  }
  return [...urls];
}
