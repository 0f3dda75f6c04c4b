/**
 * Makes random inputs that reach the rare branches of the canonicalization. They are URLs from a grammar of pieces that
 * each matter to some rule, damaged and escaped at random.
 */

/** Returns whole numbers from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** A small random generator (mulberry32) that gives the same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below) | 0;
  };
}

/** A random text, or (one time in eight) random bytes. */
export function generateInput(random: Random): string | Uint8Array {
  const text = mutate(random, url(random));
  if (random(8) > 0) return text;
  const octets = new TextEncoder().encode(text);
  // Puts bytes that are not UTF-8 among bytes that are.
  for (let i = random(3); i > 0 && octets.length > 0; i--) {
    octets[random(octets.length)] = random(256);
  }
  return octets;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)]!;
}

function some(random: Random, most: number, make: () => string): string {
  let text = "";
  for (let count = random(most + 1); count > 0; count--) text += make();
  return text;
}

const SCHEMES = [
  "http",
  "https",
  "HTTP",
  "ftp",
  "ws",
  "x+y-1.z",
  "mailto",
  "data",
  "javascript",
  "1a",
];
const SEPARATORS = [
  "://",
  "://",
  "://",
  "://",
  "://",
  ":",
  ":/",
  "//",
  "",
  ":///",
  "%3A//",
  ":%2F%2f",
];

function url(random: Random): string {
  const scheme = random(5) > 0 ? pick(random, SCHEMES) + pick(random, SEPARATORS) : "";
  const start =
    random(12) === 0 ? pick(random, ["//", " ", "  ", "%20", "\t", "\ufeff", "\u00a0", "/"]) : "";
  const userinfo = random(6) === 0 ? some(random, 3, () => piece(random)) + pick(random, AT) : "";
  const authority = host(random) + port(random);
  const path = random(4) > 0 ? pick(random, SLASH) + some(random, 6, () => pathPiece(random)) : "";
  const query =
    random(4) === 0 ? pick(random, QUESTION) + some(random, 4, () => pathPiece(random)) : "";
  const fragment = random(8) === 0 ? `#${some(random, 3, () => piece(random))}` : "";
  const end = random(12) === 0 ? pick(random, [" ", "  ", "%20", "\n", "\u3000"]) : "";
  return start + scheme + userinfo + authority + path + query + fragment + end;
}

const AT = ["@", "@", "%40", "@@", "\uff20"];
const SLASH = ["/", "/", "/", "/", "%2F", "%2f", "//", "\\", "\uff0f"];
const QUESTION = ["?", "?", "?", "%3F", "??"];
const LABELS = [
  "a",
  "b",
  "www",
  "example",
  "com",
  "EXAMPLE",
  "Co",
  "w!eird<>ho",
  "a_b",
  "-a",
  "a-",
  "xn--9ca",
  "XN--9CA",
  "xn--",
  "xn--a",
  "xn--zzzzzz",
  "xn--a-ecp",
  "1",
  "127",
  "0x7f",
  "089",
  "host",
  "localhost",
  "mailto",
];
const IDN = [
  "\u00e9",
  "\u00c9",
  "b\u00fccher",
  "\u00df",
  "\u03c2",
  "\u4f8b\u3048",
  "\u0627\u0628",
  "\u05d0",
  "\u00ad",
  "\u200b",
  "\u200c",
  "\u200d",
  "\ufeff",
  "\u3002",
  "\uff0e",
  "\uff61",
  "\uff11",
  "\uff10\uff58",
  "\uff41",
  "\u2488",
  "\u2460",
  "\u2100",
  "\u212a",
  "\ufb00",
  "\u{1f4a9}",
  "\u{1d7d8}",
  "\u0301",
  "\u0131",
  "\u0130",
  "\ufffd",
  "\u{10ffff}",
  "\u1e9e",
  "\u2024",
  "\u2025",
  "\uff05",
  "\uff1a",
  "\uff3b",
];

function host(random: Random): string {
  switch (random(8)) {
    case 0:
      return ipv4(random);
    case 1:
      return ipv6(random);
    case 2:
      return some(random, 5, () => piece(random));
    case 3:
      return some(random, 5, () =>
        random(3) === 0 ? pick(random, IDN) : pick(random, LABELS) + pick(random, DOTS),
      );
    default: {
      let text = random(10) === 0 ? pick(random, DOTS) : "";
      for (let labels = random(5) + 1; labels > 0; labels--) {
        text += random(6) === 0 ? pick(random, IDN) : pick(random, LABELS);
        if (labels > 1 || random(6) === 0) text += pick(random, DOTS);
      }
      return text;
    }
  }
}

const DOTS = [
  ".",
  ".",
  ".",
  ".",
  ".",
  "..",
  "...",
  "%2e",
  "%2E",
  "%252e",
  "\u3002",
  "\uff0e",
  ".:1.",
  ".:",
];

function port(random: Random): string {
  return random(3) > 0
    ? ""
    : pick(random, [
        ":80",
        ":",
        ":0",
        ":65536",
        "%3A80",
        ":80.",
        ":80..",
        ":1:2",
        ":a",
        ":8a",
        "::",
        ":.80",
        ":\uff18",
        ".:80",
        ":80\u3002",
      ]);
}

function ipv4(random: Random): string {
  const parts: string[] = [];
  for (let count = random(5) + (random(8) > 0 ? 1 : 2); count > 0; count--) {
    const value = pick(random, [
      0,
      1,
      7,
      8,
      9,
      127,
      192,
      255,
      256,
      65535,
      65536,
      16777215,
      16777216,
      4294967295,
      4294967296,
      3279880203,
      random(2 ** 31),
      random(300),
    ]);
    parts.push(number(random, value));
  }
  return (
    parts.join(pick(random, [".", ".", ".", ".", ".", "..", "%2e", "\u3002", ","])) +
    (random(8) === 0 ? pick(random, [".", "a", "x", " ", ".com"]) : "")
  );
}

function number(random: Random, value: number): string {
  switch (random(12)) {
    case 0:
    case 1:
      return `0x${value.toString(16)}`;
    case 2:
      return `0X${"0".repeat(random(5))}${value.toString(16).toUpperCase()}`;
    case 3:
    case 4:
      return `0${value.toString(8)}`;
    case 5:
      return `${"0".repeat(random(12))}${value.toString(8)}`;
    case 6:
      return pick(random, [
        "0x",
        "0",
        "00",
        "08",
        "09",
        "0xg",
        "",
        "1e3",
        "+1",
        "-1",
        "0b1",
        "0o7",
        "0x0x1",
        "\uff11",
        "%31",
        "\u0661",
      ]);
    default:
      return String(value);
  }
}

function ipv6(random: Random): string {
  const groups: string[] = [];
  const count = random(4) > 0 ? 8 : random(10);
  const usual = random(2) === 0;
  for (let i = 0; i < count; i++) {
    groups.push(
      usual
        ? pick(random, ["0", "0", "0", "1", "ffff"])
        : pick(random, [
            "0",
            "0000",
            "00",
            "1",
            "a",
            "DB8",
            "2001",
            "fFfF",
            "64",
            "ff9b",
            "10000",
            "g",
            "",
          ]),
    );
  }
  if (random(4) === 0) {
    groups.splice(
      0,
      6,
      ...pick(random, [
        ["0", "0", "0", "0", "0", "FFFF"],
        ["64", "ff9b", "0", "0", "0", "0"],
        ["0", "0", "0", "0", "ffff", "0"],
        ["64", "ff9b", "1", "0", "0", "0"],
      ]),
    );
  }
  let text: string;
  if (random(4) === 0) {
    const quad = pick(random, [
      "1.2.3.4",
      "255.255.255.255",
      "01.2.3.4",
      "1.2.3",
      "1.2.3.256",
      "0.0.0.0",
      "1.2.3.4.5",
      "0x1.2.3.4",
      "1..2.3.4",
    ]);
    groups.splice(random(8) > 0 ? Math.max(0, groups.length - 2) : random(8), 2, quad);
  }
  text = groups.join(":");
  if (random(3) > 0) text = text.replace(/(^|:)(0+(:|$))+/, "::");
  else if (random(3) === 0) text = text.replace(/(^|:)0(:|$)/, "::");
  if (random(10) === 0) text += pick(random, ["%25eth0", "%eth0", "%251", " ", ":", "::", "]"]);
  const open = random(15) === 0 ? pick(random, ["", ".[", "[[", "%5B", "x["]) : "[";
  const close = random(15) === 0 ? pick(random, ["", "].", "]]", "%5d", "]x"]) : "]";
  return open + text + close;
}

const PIECES = [
  ".",
  "..",
  "/",
  "//",
  "\\",
  "@",
  ":",
  "[",
  "]",
  "?",
  "#",
  "%",
  "%%",
  "a",
  "A",
  "1",
  "0",
  "x",
  "z",
  "~",
  "-",
  "_",
  "+",
  ";",
  "=",
  "&",
  " ",
  "\t",
  "\r\n",
  "%00",
  "%01",
  "%09",
  "%0a",
  "%0D",
  "%20",
  "%23",
  "%25",
  "%2e",
  "%2F",
  "%3a",
  "%3F",
  "%40",
  "%41",
  "%5b",
  "%5c",
  "%5D",
  "%7f",
  "%80",
  "%85",
  "%9f",
  "%A0",
  "%c3%a9",
  "%C3",
  "%a9",
  "%e3%80%82",
  "%ff",
  "%2",
  "%g1",
  "%u0041",
  "%252e",
  "%25%32%65",
  "%2525",
  "%%32%35",
  "%25252f",
  "%%34%31",
  "%C2%80",
  "\0",
  "\x01",
  "\x1f",
  "\x7f",
  "\u0080",
  "\u0085",
  "\u009f",
  "\u00a0",
  "\u00e9",
  "\u07ff",
  "\u0800",
  "\u20ac",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\ud800",
  "\udc00",
  "\u3002",
  "\uff0e",
  "\ufeff",
  "\u2028",
];

function piece(random: Random): string {
  return pick(random, PIECES);
}

function pathPiece(random: Random): string {
  if (random(3) === 0) return piece(random);
  return pick(random, [
    "/",
    "/",
    "/",
    "//",
    "/.",
    "/..",
    "/../",
    "/./",
    "/...",
    "/.a",
    "a",
    "b.html",
    "c;d",
    "%2e%2e",
    "/%2e/",
    "%2f..%2f",
    "?",
    "?/../",
    "#",
  ]);
}

/** Escapes, repeats, removes or inserts something at random places. */
function mutate(random: Random, text: string): string {
  let result = text;
  for (let count = random(4) > 0 ? 0 : 1 + random(3); count > 0; count--) {
    const at = random(result.length + 1);
    const before = result.slice(0, at);
    const after = result.slice(at);
    switch (random(5)) {
      case 0:
        result = before + piece(random) + after;
        break;
      case 1:
        result = before + after.slice(1);
        break;
      case 2:
        result = before + escapeFirst(random, after);
        break;
      case 3:
        result = before + after.slice(0, 3) + after;
        break;
      default:
        for (const character of after) {
          if (random(2) === 0)
            result = result.replace(character, () => escapeFirst(random, character));
        }
    }
  }
  return result;
}

/** The first character, escaped several times over. */
function escapeFirst(random: Random, text: string): string {
  const [first] = text;
  if (first === undefined) return "";
  let escaped = first;
  for (let depth = random(3) + 1; depth > 0; depth--) {
    const upper = random(2) === 0;
    escaped = Array.from(new TextEncoder().encode(escaped), (octet) => {
      const hex = octet.toString(16).padStart(2, "0");
      return octet < 0x80 && random(4) === 0
        ? String.fromCharCode(octet)
        : `%${upper ? hex.toUpperCase() : hex}`;
    }).join("");
  }
  return escaped + text.slice(first.length);
}
