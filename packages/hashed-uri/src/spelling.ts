import { ownOptions } from "@x/canon/own-options";
import type { HashUriOptions } from "./hash-uri.ts";
import { initialUriReader } from "./initial-uri.ts";
import { retainedBy } from "./kept-components.ts";

/**
 * If the canonical form of `uri` is the root of a site, returns that form with the slash after the host added
 * or removed, unless the hashed URI of `uri` matches the result as well. Otherwise returns `null`.
 *
 * `http://www.thus.net` and `http://www.thus.net/` are the same page, and browsers always write the slash. Under
 * variant N they have different hashes, so a list needs both to match the page. Only `http`, `https`, `ftp`, `ws` and
 * `wss` URLs have this other spelling.
 *
 * @throws {@link HashedUriError} when `uri` is not a URI; the codes are those of `hashUri`.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { otherSpelling } from "@x/hashed-uri";
 *
 * otherSpelling("http://www.thus.net"); // → "http://www.thus.net/"
 * otherSpelling("http://www.thus.net/index.html"); // → "http://www.thus.net"
 * otherSpelling("http://www.thus.net", { variant: "P" }); // → null
 * otherSpelling("http://www.thus.net/a"); // → null
 * ```
 * @see draft-feather-hashed-uri-03, Appendix A
 */
export function otherSpelling(uri: string, options: HashUriOptions = {}): string | null {
  const own = ownOptions(options);
  const read = initialUriReader(own);
  const initial = read(uri);
  const retained = retainedBy(own, initial);
  const form = initial.canonicalForm(retained);
  const root = ROOT.exec(form);
  if (root === null) return null;
  const [withRoot, site, slash] = root;
  const other = `${site}${slash === "" ? "/" : ""}${form.slice(withRoot.length)}`;
  return read(other).canonicalForm(retained) === form ? null : other;
}

/** A canonical URI up to its query, if its path is empty or a slash. */
const ROOT = /^((?:https?|ftp|wss?):\/\/[^/?#]+)(\/?)(?=[?#]|$)/;
