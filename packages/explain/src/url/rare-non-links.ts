import { linkOfScheme, type OtherText, otherText } from "./non-links.ts";

const OFFICE = "It opens a document in Office, from the site in it.";
const PAYMENT = "It asks for a payment, which nobody can take back.";
const UNEXPECTED = "Do not open it if you did not expect it.";

/**
 * The effects of links with schemes that are rarely pasted. `non-links.ts` has the schemes that are pasted more often.
 */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  ethereum: [PAYMENT],
  litecoin: [PAYMENT],
  monero: [PAYMENT],
  geo: ["It shows a place on a map."],
  magnet: ["It names a file for a program that shares files."],
  matmsg: ["It writes an email to the address in it."],
  sip: ["It calls somebody over the internet."],
  "search-ms": [
    "Do not open it: attackers use such links.",
    "In Windows, it can show files of a stranger’s server as if they were your own.",
  ],
  "ms-word": [UNEXPECTED, OFFICE],
  "ms-excel": [UNEXPECTED, OFFICE],
  "ms-powerpoint": [UNEXPECTED, OFFICE],
};
const SCHEME = /^\s*([a-z][a-z-]*):(?!\s)/i;
const MAY_HAVE_SPACES = /^\s*(?:matmsg|search-ms):/i;

/** `file://server/share`, also with more slashes, but not a file on the reader's own device. */
const FILE_SERVER =
  /^\s*(?:file:(?:[\\/]{2}|[\\/]{4,5})|(?:smb|nfs|afp):[\\/]{2})(?!localhost[\\/]|[a-z]:)[^\\/\s?#]+/i;
const IBAN = /^\s*[a-z]{2}\d{2}(?: ?[a-z\d]){11,30}\s*$/i;
const PASSWORD = /^\s*[^\s@:/?#\\]+:[^\s@/?#\\]+@[^\s@:/?#\\]+\.[^\s@:/?#\\]+\s*$/;
const WITHOUT_LETTERS = /^[^\p{L}\p{N}]+$/u;
/** A host with a comma or a space where it has a dot. */
const WITHOUT_DOT = /^\s*([a-z\d-]+(?:\.[a-z\d-]+)*)(?:,| +\.|\. +)([a-z]{2,}(?:\/\S*)?)\s*$/i;

/**
 * Describes a text of a kind that people paste only rarely instead of a link; `null` for any other text. Call this only
 * for texts that are on no list.
 *
 * @example
 * ```ts
 * import { rareText } from "@x/explain/rare-non-links";
 *
 * rareText("DE89 3704 0044 0532 0130 00")?.sentence; // → "This is an account number (IBAN), not a link."
 * rareText("https://example.org/"); // → null
 * ```
 */
export function rareText(input: string): OtherText | null {
  if (FILE_SERVER.test(input)) {
    const sends = "Windows may open it, and send your login to the server.";
    const facts = [UNEXPECTED, sends];
    return { sentence: "This opens a file server, not a web page.", facts };
  }
  const scheme = (SCHEME.exec(input)?.[1] ?? "").toLowerCase();
  const does = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme]! : null;
  if (does !== null && (!/\s/.test(input.trim()) || MAY_HAVE_SPACES.test(input))) {
    return linkOfScheme(scheme, does);
  }
  if (IBAN.test(input) && isIban(input)) {
    const facts = ["It has no link in it. Pay to it only if you know whose it is."];
    return { sentence: "This is an account number (IBAN), not a link.", facts };
  }
  if (PASSWORD.test(input) && does === null && otherText(input, null) === null) {
    const facts = ["Show it to nobody. To check the site, paste only what is after the “@”."];
    return { sentence: "This is a user name and a password, not a link.", facts };
  }
  if (WITHOUT_LETTERS.test(input)) {
    return { sentence: "There is no link in this text.", facts: ["It has no letters."] };
  }
  const [, start, end] = WITHOUT_DOT.exec(input) ?? [];
  if (end !== undefined) {
    const facts = [`If you mean ${start}.${end}, paste it in that way.`];
    return { sentence: "This is not a URL: it has a comma or a space in its host.", facts };
  }
  return null;
}

/** Whether the check digits of an account number are right. */
function isIban(text: string): boolean {
  const compact = text.replace(/\s/g, "").toLowerCase();
  const moved = compact.slice(4) + compact.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    for (const digit of String(Number.parseInt(character, 36)))
      rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}
