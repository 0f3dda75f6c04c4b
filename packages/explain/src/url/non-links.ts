/** The description of a text that is not a link to a web page. */
export interface OtherText {
  readonly sentence: string;
  /** Sentences about the effect of the text, with advice. */
  readonly facts: readonly string[];
}

const NO_LIST_HAS_IT = "No list of dangerous sites can have it.";

/** The effects of links with schemes other than those of sites. */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  ["javascript", "It runs a program in the page that is open. Do not open or paste it."],
  ["data", "It contains a whole page or file. Do not open it if you did not expect it."],
  ["blob", "It is a file that a page has made in one browser. It opens nowhere else."],
  ["file", "It opens a file on your own device."],
  ["about", "It opens a page that the browser itself has."],
  ["chrome", "It opens a page that the browser itself has."],
  ["mailto", "It writes an email to the address in it."],
  ["tel", "It calls a telephone number."],
  ["sms", "It writes a text message."],
  ["smsto", "It writes a text message."],
  ["wifi", "It connects a device to the Wi-Fi network in it. Use it only if you trust its maker."],
  ["bitcoin", "It asks for a payment in Bitcoin, which nobody can take back."],
  ["otpauth", "It sets up codes for signing in. It has a secret in it: show it to nobody."],
  ["market", "It opens an app store."],
  ["view-source", "It shows the source of the URL in it. To check that URL, paste it alone."],
]);
const SCHEME = /^\s*([a-z][a-z-]*):/i;
/**
 * Schemes that never lead to a site, although `sms:123` could be a host with a port, and `market://details` has a host.
 */
const NEVER_HOSTS: ReadonlySet<string> = new Set([
  "javascript",
  "data",
  "sms",
  "smsto",
  "tel",
  "otpauth",
  "market",
  "about",
  "chrome",
]);

/** Describes a link whose scheme opens no site. */
export function linkOfScheme(scheme: string, facts: readonly string[]): OtherText {
  const article = /^[aeo]/.test(scheme) ? "An" : "A";
  return { sentence: `${article} “${scheme}:” link leads to no site.`, facts };
}

/** A path on Windows. */
const WINDOWS_PATH = /^\s*[a-z]:[\\/]/i;
/**
 * A path on a file server, such as `\\server\share`, perhaps with a port. Browsers read such a path as a URL relative
 * to the open page.
 */
const NETWORK_PATH = /^\s*\\\\[^\\/@?#\s]+(?:@(?:ssl|\d+))*(?:\\[^/]*)?$/i;
/** Digits, such as a barcode or a telephone number, but not a whole IPv4 address. */
const NUMBER = /^(?!\s*\d+(?:\.\d+){3}\.?\s*$)[\s\d+().-]*\d[\s\d().-]*$/;
/** The beginning of a URN: the name is missing, and perhaps the namespace, too. */
const HALF_URN = /^\s*urn:[^:\s]*:?\s*$/i;

const BEGINNING = /^\s*(?:h|ht|htt|https?|https?:\/{0,2})\s*$/i;
const WORD = /^\s*[^\s/?#:@\\]+\s*$/u;
const EMAIL_ADDRESS = /^\s*[^\s@/?#:\\<>"]+@([^\s@/?#:\\<>"]+\.[^\s@/?#:\\<>".]+)\s*$/u;

/**
 * Describes a text that nobody means as a link, such as a number, although browsers may read it as a URL; `null` for
 * any other text.
 */
export function neverLink(input: string): OtherText | null {
  if (NETWORK_PATH.test(input)) {
    return {
      sentence: "This is a Windows network path. It opens a file server, not a web page.",
      facts: [
        "Do not open it if you did not expect it: Windows may send your login to the server.",
      ],
    };
  }
  if (NUMBER.test(input)) {
    return {
      sentence: "This is a number, not a link.",
      facts: ["Barcodes and telephone numbers have no link in them."],
    };
  }
  return null;
}

/**
 * Describes a text that is not a link to a web page: a link of another scheme, an email address, one word, or only the
 * beginning of a URL. `null` for any other text. Call this only for texts that are on no list.
 *
 * @param name the host of the text if it is a domain name; `null` if the text has no host, or an IP address.
 */
export function otherText(input: string, name: string | null): OtherText | null {
  const never = neverLink(input);
  if (never !== null) return never;
  if (BEGINNING.test(input)) {
    return { sentence: "This is only the beginning of a link.", facts: [] };
  }
  const [, scheme = ""] = SCHEME.exec(input.toLowerCase()) ?? [];
  const does = name === null || NEVER_HOSTS.has(scheme) ? SCHEMES.get(scheme) : undefined;
  if (does !== undefined) {
    return linkOfScheme(scheme, [does, NO_LIST_HAS_IT]);
  }
  if (name === null && WINDOWS_PATH.test(input)) {
    return { sentence: "This names a file on a computer. It is not a link.", facts: [] };
  }
  if (HALF_URN.test(input)) {
    const facts = ["A URN has a namespace and a name in it, such as urn:isbn:0451450523."];
    return { sentence: "This is only the beginning of a URN.", facts };
  }
  const domain = EMAIL_ADDRESS.exec(input)?.[1];
  if (domain !== undefined) {
    const facts = [`To check the site of its domain, paste ${domain} alone.`];
    return { sentence: "This is an email address, not a link.", facts };
  }
  if (name !== null && !/\.|^localhost$/.test(name) && WORD.test(input)) {
    return { sentence: "This is one word, not a link. Browsers search for it.", facts: [] };
  }
  return null;
}
