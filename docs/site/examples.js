// Finds the URLs and URNs of an example, and writes the links that open them in the page.

/** Options of `urlhash` without a value. The word after any other option is its value. */
const FLAGS = new Set(["--ndjson", "--refang", "--namespaces"]);
/** Commands whose answers the page gives, too. It has a list of its own, which only `npm start -- check` also uses. */
const COMMAND =
  /^(?:\$ )?(?:(?:urlhash|npm start --) (explain|canon|hash|urn (?:parse|normalize|equal))|npm start -- check) (?!.*--list )(.*)$/gm;
const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;

/** Functions whose first argument, or the second after a name, is a URL or a URN, and whose result needs no list. */
const FUNCTIONS =
  "canonicalize|canonicalizeHierarchical|browserHref|readUrl|(?:try)?[pP]arseUr[ln]|tryParseUrlAsBrowser|explain(?:Url|Urn|Canonicalization)|" +
  "expressions|urlHashes|hashUri|otherSpelling|refang|readAs|normalizeUrn|displayUrn|isUrn";
const STRING = String.raw`"(?:[^"\\\n]|\\.)+"`;
/** The places in code where one URL or URN is written as a string. */
const ONE = new RegExp(
  String.raw`(?:\b(?:${FUNCTIONS})\((?:"[a-z]+", )?|\bconst ur[iln] = )(${STRING})`,
  "g",
);
const TWO_URNS = new RegExp(String.raw`\bequivalentUrns\((${STRING}, ${STRING})`, "g");

/** Functions with the same names may take only a part of a URN, so the string must look like a URL or a URN. */
const LIKE_A_URL = /[./]|^[a-z]+:[^:]+$/i;

/** The values of the strings that a pattern finds. A link cannot have half of a surrogate pair. */
function* stringsIn(code, pattern) {
  for (const [, strings] of code.matchAll(pattern)) {
    const json = strings.replace(/\\u\{([0-9a-f]+)\}/gi, (_, hex) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    const values = JSON.parse(`[${json}]`);
    if (values.every((value) => value.isWellFormed())) yield values;
  }
}

function operands(line) {
  const found = [];
  let skips = false;
  for (const [, single, double, bare] of line.matchAll(WORD)) {
    if (bare !== undefined && /^[#|<>&]/.test(bare)) break;
    const word = single ?? double ?? bare;
    if (skips) skips = false;
    else if (bare?.startsWith("--")) skips = !FLAGS.has(bare);
    else found.push(word);
  }
  return found;
}

function openUrl(url) {
  return { text: url, fragment: `#url?u=${encodeURIComponent(url)}` };
}

function openUrns(urns) {
  const values = urns.map((urn, i) => `${"uv"[i]}=${encodeURIComponent(urn)}`);
  return { text: urns.join(" and "), fragment: `#urn?${values.join("&")}` };
}

/** The links to the page for the code of an example, without duplicates: `{ text, fragment }[]`. */
export function openable(code) {
  const found = [];
  for (const [, command = "check", rest] of code.matchAll(COMMAND)) {
    const given = operands(rest);
    if (command === "urn equal") found.push(openUrns(given.slice(0, 2)));
    else if (command.startsWith("urn")) found.push(...given.map((urn) => openUrns([urn])));
    else found.push(...given.map(openUrl));
  }
  for (const [text] of stringsIn(code, ONE)) {
    if (/^urn:/i.test(text)) found.push(openUrns([text]));
    else if (LIKE_A_URL.test(text)) found.push(openUrl(text));
  }
  for (const urns of stringsIn(code, TWO_URNS)) found.push(openUrns(urns));
  return [...new Map(found.map((one) => [one.fragment, one])).values()];
}
