// Finds the URLs and URNs of an example, and writes the links that open them in the page.

/** Options of `urlhash` without a value. The word after any other option is its value. */
const FLAGS = new Set(["--ndjson", "--refang", "--only-listed", "--namespaces"]);
const COMMAND =
  /^(?:\$ )?(?:urlhash|npm start --) (explain|canon|hash|check|urn (?:parse|normalize|equal|display)) (.*)$/gm;
const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;

/** Calls with one URL or URN, written out. */
const CALL =
  /\b(canonicalize|(?:try)?[pP]arseUrl|expressions|exactExpression|urlHashes|explain(?:Url|Canonicalization)|check(?:Locally)?|(?:try)?[pP]arseUrn|normalizeUrn|displayUrn)\("([^"\\]+)"/g;

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

/** What the code of an example can open in the page: `{ text, fragment }[]`, each once. */
export function openable(code) {
  const found = [];
  for (const [, command, rest] of code.matchAll(COMMAND)) {
    const given = operands(rest);
    if (command === "urn equal") found.push(openUrns(given.slice(0, 2)));
    else if (command.startsWith("urn")) found.push(...given.map((urn) => openUrns([urn])));
    else found.push(...given.map(openUrl));
  }
  for (const [, name, text] of code.matchAll(CALL)) {
    found.push(/urn/i.test(name) || /^urn:/i.test(text) ? openUrns([text]) : openUrl(text));
  }
  return [...new Map(found.map((one) => [one.fragment, one])).values()];
}
