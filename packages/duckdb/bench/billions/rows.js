// The rows of the worked example: URLs that people visit, of which one in ten is disguised.

/** Returns a function that gives random integers in [0, limit), the same in every run. */
export function randomWhole(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const afterScheme = (change) => (url) =>
  url.replace(/^(\w+:\/\/)([^/?#]*)/, (_, scheme, host) => scheme + change(host));

/** The classes of URLs: a name, and the function that changes a URL. The first class keeps the URL as it is. */
export const CLASSES = [
  ["as it was found", (url) => url],
  ["capital letters", (url) => url.replace(/^\w+:\/\/[^/?#]*/, (start) => start.toUpperCase())],
  ["a user name", afterScheme((host) => `user:secret@${host}`)],
  ["a port", afterScheme((host) => (/[:@]/.test(host) ? host : `${host}:8080`))],
  ["a dot after the host", afterScheme((host) => (/[:@]/.test(host) ? host : `${host}.`))],
  [
    "escapes in the host",
    afterScheme((host) =>
      host.replace(/[aeiou]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ),
  ],
  [
    "escapes in the path",
    (url) =>
      url.replace(
        /(?<=^\w+:\/\/[^/]+\/)[a-z]/i,
        (letter) => `%${letter.charCodeAt(0).toString(16)}`,
      ),
  ],
  ["dot segments", (url) => url.replace(/(?<=^\w+:\/\/[^/]+)\//, "/x/../")],
  ["a backslash", (url) => url.replace(/(?<=^\w+:\/\/[^/?#@]+)\//, "\\@good.example/")],
  ["no scheme", (url) => url.replace(/^\w+:\/\//, "")],
  ["spaces around them", (url) => ` ${url} `],
  [
    "full-width letters",
    afterScheme((host) =>
      host.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ),
  ],
  ["an address as one number", afterScheme((host) => addressAsNumber(host))],
  ["an undecided host", afterScheme((host) => `\u{2065}${host}`)],
  ["not a URL", (url) => url.replace(/^\w+:\/\//, "mailto:")],
];

function addressAsNumber(host) {
  const parts = host.split(".").map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => part >= 0 && part < 256);
  return isAddress ? String(parts.reduce((sum, part) => sum * 256 + part, 0)) : "3221226219";
}

/**
 * Yields `[url, class]` for each row: a URL of the corpus, half of the time with an added query. One row in ten is
 * disguised.
 */
export function* makeRows(corpus, count) {
  const random = randomWhole(1);
  for (let n = 0; n < count; n++) {
    const base = corpus[random(corpus.length)];
    const url =
      random(2) === 0 ? base : `${base.split("#", 1)[0]}${base.includes("?") ? "&" : "?"}n=${n}`;
    const which = random(10) === 0 ? 1 + random(CLASSES.length - 1) : 0;
    yield [CLASSES[which][1](url).replace(/[\r\n]/g, ""), which];
  }
}

/**
 * The entries of the list: hosts and folders of the corpus, an IP address, and generated hosts up to `size` entries.
 */
export function makeEntries(corpus, size, exactExpression) {
  const entries = new Set(["192.0.2.235/"]);
  for (let i = 0; i < corpus.length; i += 40) {
    if (!URL.canParse(corpus[i])) continue;
    const { host, pathname } = new URL(corpus[i]);
    const folder = /^\/[^/]+\//.exec(pathname)?.[0] ?? "/";
    const isEven = (i / 40) % 2 === 0;
    try {
      entries.add(exactExpression(`http://${host}${isEven ? "/" : folder}`));
    } catch {}
  }
  for (let i = 0; entries.size < size; i++) entries.add(`made-up-${i}.example/`);
  return [...entries];
}
