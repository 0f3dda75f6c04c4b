import { createHash } from "node:crypto";

/* Prefixes of lists are hexadecimal text, for simplicity. */

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
export const checksumOf = (prefixes) => sha256(Buffer.from(prefixes.join(""), "hex"));

/** The indices of entries to remove, and the entries to add, between two sorted lists of hexadecimal texts. */
function changes(from, to) {
  const before = new Set(from);
  const after = new Set(to);
  return {
    removals: from.flatMap((prefix, index) => (after.has(prefix) ? [] : [index])),
    additions: to.filter((prefix) => !before.has(prefix)),
  };
}

/** Prefixes by their lengths in bytes. */
export const groups = (prefixes) =>
  [...new Set(prefixes.map((prefix) => prefix.length / 2))].map((length) => [
    length,
    prefixes.filter((prefix) => prefix.length / 2 === length),
  ]);

/**
 * @typedef {object} PlainList A list. The server answers with its newest version.
 * @property {"MALWARE" | "SOCIAL_ENGINEERING" | "UNWANTED_SOFTWARE"} threatType
 * @property {string[][]} versions From the oldest to the newest one; prefixes are hexadecimal text.
 * @property {string[]} fullHashes In hexadecimal text.
 */

/**
 * The lists, with functions that search them and make updates.
 *
 * @param {Record<string, PlainList>} lists
 */
export function plainLists(lists) {
  const tokenOf = (name) => Buffer.from(`${name}#${lists[name].versions.length - 1}`);

  /** The update from the version of a token to the newest one: a full update if the server does not know the token. */
  function updateOf(name, token) {
    const { versions } = lists[name];
    const newest = [...versions.at(-1)].sort();
    const [tokenName, number] = Buffer.from(token).toString().split("#");
    const known = tokenName === name && /^\d+$/.test(number ?? "") ? versions[number] : undefined;
    if (known === undefined) return { full: true, removals: [], additions: newest, newest };
    return { full: false, ...changes([...known].sort(), newest), newest };
  }

  const fullHashesOf = (name, prefix) =>
    lists[name].fullHashes.filter((hash) => hash.startsWith(prefix));

  return { lists, tokenOf, updateOf, fullHashesOf };
}
