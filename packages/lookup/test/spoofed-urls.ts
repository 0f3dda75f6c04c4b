/** Random numbers that are the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Hosts that attackers own, each in several spellings that browsers treat as the same. */
const HOSTS = [
  [
    "evil.example",
    "EVIL.Example",
    "\uff45\uff56\uff49\uff4c.example",
    "evil\u3002example",
    "evil\uff0eexample",
    "evil\uff61example",
    "e\u00advil.example",
    "ev\u200bil.example",
    "\u{1d4ee}vil.example",
    "%65vil.example",
    "evil%2Eexample",
    "evil%E3%80%82example",
    "%EF%BD%85vil.example",
    "evil.example.",
    "evil.ex\u00e2mple".normalize("NFD").replace(/\u0302/g, ""),
  ],
  [
    "195.127.0.11",
    "3279880203",
    "0xc37f000b",
    "0303.0177.0.013",
    "195.0x7f.0x.0xB",
    "195.127.11",
    "195.8323083",
    "0xC3.0177.11",
    "195.127.0.11.",
    "\uff11\uff19\uff15.127.0.11",
    "030337600013",
    "%31%395.127.0.11",
  ],
  [
    "[2001:db8::1]",
    "[2001:DB8:0:0::1]",
    "[2001:0db8:0000:0000:0000:0000:0000:0001]",
    "[2001:db8::0.0.0.1]",
  ],
  [
    "b\u00fccher.example",
    "xn--bcher-kva.example",
    "B\u00dcCHER.example",
    "bu\u0308cher.example",
    "XN--BCHER-KVA.EXAMPLE",
    "b%C3%BCcher.example",
  ],
  [
    "folder.example",
    "Folder.Example",
    "f\u00f6lder.example".replace("\u00f6", "o"),
    "folder\uff0eexample",
  ],
];

const SCHEMES = ["http", "https", "HTTP", "hTtPs", "ftp", "ws", "wss", "h\tttp"];
const SLASHES = [
  "://",
  "://",
  "://",
  ":",
  ":/",
  ":///",
  ":////",
  ":\\\\",
  ":/\\",
  ":\\/",
  "://\\",
  ":\t//",
];
const USERS = [
  ...[
    "",
    "",
    "",
    "",
    "user@",
    "user:password@",
    "good.example@",
    "good.example:80@",
    "@",
    "@@",
    ":@",
  ],
  ...["good.example%2F@", "good.example%252F@", "good.example%3F@", "good.example%23@", "a:b%2Fc@"],
  ...["good.example%5C@", "good.example%2f%2F:x@", "u%40good.example@", "%00@", "%25%32%46@"],
];
const LABELS = ["", "", "", "www.", "a.b.", "a.b.c.d.e.", "\u00e9.", "-.", "xn--e1a.", "%61."];
const PORTS = ["", "", "", "", ":", ":80", ":443", ":00080", ":8080", ":65535", ":\t21"];
const AFTER_HOST = [
  ...[
    "",
    "/",
    "/",
    "\\",
    "?",
    "#",
    "?q",
    "#f",
    "\\@good.example/",
    "/@good.example/",
    "?@good.example/",
  ],
  ...[
    "#@good.example/",
    "\\.good.example/",
    "/.good.example",
    "?.good.example",
    "#\\.good.example",
  ],
];
const FOLDERS = [
  ...[
    "/bad/",
    "/bad/x",
    "/bad/a/b/c/d/e",
    "\\bad\\",
    "\\bad/x",
    "/./bad/",
    "//../bad/",
    "/x/../bad/",
  ],
  ...[
    "/x/..\\bad/",
    "/x\\..\\bad/",
    "/x/%2e%2E/bad/",
    "/x/.%2e/bad/y",
    "/%2e/bad/",
    "/x/y/..\\..\\bad\\",
  ],
  ...[
    "/bad/..\\bad/",
    "/bad/./",
    "/bad/\\",
    "/\tbad/",
    "/b\nad/x",
    "/bad/%",
    "/bad/%2",
    "/bad/%2525",
  ],
  ...[
    "/bad/\ud800",
    "/bad/\u00e9\udc00",
    "/bad/\u0001",
    "/bad/ x ",
    "/bad/%00",
    "/bad/?/../",
    "/bad/#/../",
  ],
  ...[
    "/bad/%2e%2e%2f",
    "/bad/x%2F..%2F../",
    "/bad/%252e%252e/x",
    "/bad/..%5C",
    "/bad/%2e%2e%5cx",
    "/bad/\uff0fx",
    "/bad/;p",
    "/bad/%3F",
    "/bad/%23/../",
    "/bad/%2F",
    "/bad/x%2F",
    "/bad/%5C",
    "/bad//x",
  ],
];
/** Texts to insert into a URL. */
const INSERTED = [
  ..."\t\n\r \\/@:?#.%&;=[]<>|^`{}'\"",
  ...[
    "\u0000",
    "\u0001",
    "\u001f",
    "\u007f",
    "\u0080",
    "\u009f",
    "\u00a0",
    "\u00ad",
    "\u200b",
    "\u200d",
  ],
  ...[
    "\u2028",
    "\u3000",
    "\u3002",
    "\uff0e",
    "\uff0f",
    "\uff1a",
    "\uff20",
    "\uff3c",
    "\ufeff",
    "\ufffd",
  ],
  ...[
    "\ud800",
    "\udfff",
    "\u{1f600}",
    "%2F",
    "%5C",
    "%40",
    "%3A",
    "%3F",
    "%23",
    "%2E",
    "%2e%2e",
    "%25",
  ],
  ...[
    "%00",
    "%09",
    "%0A",
    "%20",
    "%252F",
    "%25%32%46",
    "..",
    "../",
    "..\\",
    "/./",
    "//",
    "\\\\",
    "0x",
  ],
];
const AROUND = ["", "", "", "", " ", "\t", "\n", "\u0000", "\u0001", "\u001f ", "\r\n", " \u000b"];

/** Makes a URL that may have two readings. */
export function spoofedUrl(random: () => number): string {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const host = pick(LABELS) + pick(pick(HOSTS)) + pick(PORTS);
  const path = random() < 0.5 ? pick(AFTER_HOST) : pick(FOLDERS);
  let url = pick(AROUND) + pick(SCHEMES) + pick(SLASHES) + pick(USERS) + host + path;
  for (let i = below(4); i > 0; i--) {
    const at = below(url.length + 1);
    url = url.slice(0, at) + pick(INSERTED) + url.slice(at);
  }
  return url + pick(AROUND);
}
