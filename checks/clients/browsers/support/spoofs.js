import { words } from "../../../support/words.js";
import { randomNumbers } from "../../server/support/odd-urls.js";

/** Hosts that the spoofs disguise. */
const HOSTS = words(`
  evil.example login.evil.example evil.example 0x7f.evil.example xn--bcher-kva.example
  bücher.example faß.example straße.example βόλος.example نامه\u200cای.example
  www.ශ්\u200dරී.example a.b.c.d.e.f.evil.example evil ev-il.example r3---sn-x.example e_v.example
`);
const ADDRESSES = words(`
  195.127.0.11 0xc37f000b 3279880203 0303.0177.0.013 195.0x7f.11 0xc3.0x7f000b 0x7f.1 1 0 127.0.0.1
  0x 0.0x.0.1 1.2.3.4 08.1.1.1 1.2.3.0x1g
`);
const IPV6 = words(`
  [::1] [2001:db8::1] [2001:DB8:0:0::a] [::ffff:192.0.2.1] [64:ff9b::c000:201] [::ffff:c000:201]
  [::127.0.0.1] [fe80::1%25eth0] [1:2:3:4:5:6:7:8] [::1 ::1]
`);
const PUNYCODE = words(`
  xn--a xn--zzzzzz xn-- xn--a- xn--evil- XN--BCHER-KVA xn--bcher-kva xn--0 xn--a-ecp xn--ls8h
  xn--1ug xn--xn---epa xn--tiq49xqyj xn--zca xn--4ca xn--bcher-kvb xn--ls8h99999 xn--evil-\u00e9
  x\u00adn--a xn\u2010-a \uff58n--bcher-kva xn--A-ecp xn--80ak6aa92e
`);
const SCHEMES = [
  ...words(`
  http:// http:// http:// http:// http:// http:// https:// HTTP:// ws:// ftp:// http:/ http:
  http:\\\\ http:\\ http:/// http:/\\/ https:
`),
  "ht\ttp://",
  " http://",
  "\u0001http://",
  "hTTps:\\/",
];
const BEFORE = [
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  ...words(`
  user@ user:word@ @ good.example@ good.example%2F@ good.example%5C@ good.example:80@
  good.example%23@ good.example\u2060@ a@b@ %40@ good.example\uff0f@ xn--a@ \ud800@
`),
];
const AFTER = [
  "/",
  "/",
  "/",
  "",
  "\\",
  "\\@good.example/",
  "\\x",
  ...words(`
  ?q #f :80/ :8080 :/ :080/ :65535/ :65536/ :80\\@good.example /@good.example ?@good.example/
  #@good.example/ :x/ :80:80/ \\\\good.example/ %2F@good.example/ %5C@good.example/ . ./ ../ \u3002/
  \uff0e\uff61/ \u00ad/ \ufe0f:80/ :\uff18\uff10/ /% /%zz /\ud800
`),
  "\t/",
  "\n\\x",
  " /",
  ...words(`
  %20/ %00/ %09/ \u2060\\@good.example %E2%81%A1/ \uff0f@good.example/
`),
];

const DIGITS = [0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1fbf0, 0x1ccf0, 0xff10];
const CAPITALS = [
  0x1d400, 0x1d434, 0x1d468, 0x1d4d0, 0x1d56c, 0x1d5a0, 0x1d670, 0x1ccd6, 0x24b6, 0xff21, 0x1f130,
];
const SMALL = [0x1d41a, 0x1d44e, 0x1d4ea, 0x1d586, 0x1d68a, 0x24d0, 0xff41, 0x249c, 0xe0061];
const IGNORED = [
  ...[
    0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x180e, 0x180f, 0x200b, 0x200c, 0x200d, 0x200e,
    0x2028, 0x2060,
  ],
  ...[
    0x2061, 0x2062, 0x2064, 0x2065, 0x2066, 0x206a, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0,
    0xfff0, 0x1bca0,
  ],
  ...[0x1d173, 0x1d17a, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff],
];
const DOTS = words(`
  \u3002 \uff0e \uff61 \u2024 %2e %2E %E3%80%82 \u00ad. .\u2060
`);

const utf8 = new TextEncoder();
const escaped = (text) =>
  [...utf8.encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Generates any number of spoofed hosts, the same ones for the same seed. */
export function* spoofs(seed) {
  const next = randomNumbers(seed);
  const pick = (values) => values[Math.floor(next() * values.length)];
  const chance = (probability) => next() < probability;
  const codePoint = () => {
    const code = Math.floor(next() * pick([0x80, 0x300, 0x3000, 0x10000, 0x20000, 0x110000]));
    return String.fromCodePoint(code);
  };
  const ignored = () => String.fromCodePoint(pick(IGNORED));

  /** With the probability `often`, writes a character in another form. */
  const spell = (character, often) => {
    let spelt = character;
    const code = character.toLowerCase().charCodeAt(0);
    if (chance(often)) {
      if (/^[0-9]$/.test(character)) spelt = String.fromCodePoint(pick(DIGITS) + Number(character));
      else if (/^[a-z]$/i.test(character)) {
        spelt = String.fromCodePoint(pick([...CAPITALS, ...SMALL]) + code - 0x61);
        if (chance(0.2)) spelt = character.toUpperCase();
      } else if (character === ".") spelt = pick(DOTS);
      else if (character === "-") spelt = pick(["\u2010", "\u2011", "\uff0d", "\ufe63", "-"]);
      else if (character === ":") spelt = pick(["\uff1a", "\ufe55", ":"]);
      else if (character === "[") spelt = pick(["\uff3b", "["]);
      else if (character === "]") spelt = pick(["\uff3d", "]"]);
    }
    if (chance(often / 3)) spelt = chance(0.5) ? spelt + ignored() : ignored() + spelt;
    if (chance(often / 4)) spelt = escaped(spelt);
    if (chance(often / 20)) spelt = spelt.replaceAll("%", "%25");
    if (chance(often / 20)) spelt += pick(["\t", "\n", "\r"]);
    return spelt;
  };
  const respell = (text, often) => [...text].map((character) => spell(character, often)).join("");
  const zeros = () => {
    const zero = () => String.fromCodePoint(pick([...DIGITS, 0x30, 0x30]));
    const one = zero();
    return Array.from({ length: Math.floor(next() ** 4 * 700) }, () =>
      chance(0.9) ? one : zero(),
    ).join("");
  };
  /** An address with any number of zeros before its numbers. */
  const padded = (address) =>
    address
      .split(".")
      .map((part) => {
        const [, prefix, digits] = /^(0x|0)?(.*)$/.exec(part);
        if (chance(0.5)) return part;
        return prefix === undefined ? part : respell(prefix, 0.3) + zeros() + respell(digits, 0.2);
      })
      .join(".");

  const host = () => {
    const kind = next();
    const often = pick([0, 0.05, 0.1, 0.3, 1]);
    if (kind < 0.4) return respell(pick(HOSTS), often);
    if (kind < 0.55) return respell(padded(pick(ADDRESSES)), often / 3);
    if (kind < 0.65) return respell(pick(IPV6), often / 3);
    if (kind < 0.8)
      return respell(`${pick(PUNYCODE)}${pick(["", ".example", ".evil.example"])}`, often / 5);
    if (kind < 0.85) return `${respell("evil", often / 3)}${pick(DOTS)}${pick(PUNYCODE)}`;
    const letters = Array.from({ length: 1 + Math.floor(next() * 3) }, codePoint).join("");
    if (kind < 0.92)
      return `ev${chance(0.3) ? escaped(letters.toWellFormed()) : letters}il.example`;
    return `${letters}${pick(["", ".", "\u200d", "-"])}${pick([...HOSTS, ...ADDRESSES, ...PUNYCODE])}`;
  };
  for (;;) yield pick(SCHEMES) + pick(BEFORE) + host() + pick(AFTER);
}

/** Texts without a scheme that seem to lead to another host. */
export const ADDRESSES_WITHOUT_SCHEME = [
  "evil.example\\@good.example",
  "evil.example\\x",
  ...words(`
  good.example%2F@evil.example/ \\\\evil.example\\share ev\u2061il.example localhost\\@good.example
  [::1]\\@good.example xn--a\\@good.example http;//evil.example/
`),
];

/** Texts with a code point in six positions of a host. */
export function withCodePoint(code) {
  const character = String.fromCodePoint(code);
  return [
    `http://${character}evil.example/`,
    `http://ev${character}il.example/`,
    `http://evil${character}.example/`,
    `http://evil.${character}example/`,
    `http://evil.example${character}/`,
    `http://evil${character}example/`,
  ];
}

const LINK_STARTS = [
  ...words(`
  // \\\\ /\\ /// http:\\\\ HTTP:/\\
`),
  " http:\\/",
  "http://",
  "http:///",
  "http:\\\\\\",
];
const LINK_HOSTS = ["evil.example", "u@EVIL.example:80", "good.example%2F@evil.example", "1.2.3"];
const IN_QUERY = [
  ...["/", "/..", "/.", "/../", "/a", "/%2e%2E/", "/.%2e", "?", "?", "#", "\\", "..", "."],
  ...["%2e", "=", "&", "'", "\u00e9", " ", "%41", "%zz", "b", ";", "\ud800"],
  "\ud83d\r\n\ude00",
];

const AT_END = ["", "", "", " ", "\u00a0", "\u0085 "];

/** Links, some of which only Firefox reads differently from the specification. */
export function links(seed) {
  const next = randomNumbers(seed);
  const pick = (all) => all[Math.floor(next() * all.length)];
  return Array.from({ length: 5000 }, () => {
    const pieces = Array.from({ length: 1 + Math.floor(next() * 8) }, () => pick(IN_QUERY));
    return `${pick(LINK_STARTS)}${pick(LINK_HOSTS)}${pick(["?", "?", "/p?", "/../b.example?", "/..\\c.example/", "/%2e%2e/d.example"])}a${pieces.join("")}z${pick(AT_END)}`;
  });
}
