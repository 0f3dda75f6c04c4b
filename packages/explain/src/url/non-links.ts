/** The description of a text that is not a link to a web page. */
export interface OtherText {
  readonly sentence: string;
  /** Sentences about the effect of the text, with advice. */
  readonly facts: readonly string[];
  /** The badge of a text that nobody should open, whether they expect it or not. */
  readonly harm?: string;
}

const NO_LIST_HAS_IT = "No list of sites can tell whether it is safe.";
/** The advice on a link that is harmless only where people expect it. */
export const UNEXPECTED = "Do not open it if you did not expect it.";
const FILE_SERVER_FACTS = [
  UNEXPECTED,
  "Windows may open it, and send your login to the server.",
] as const;
const OFFICE = [UNEXPECTED, "It opens a document in Office, from the site in it."];
/** The advice on a text that was perhaps meant as a link. */
export const PASTE = "Paste a whole link, such as https://www.example.com/.";

/** What a link that nobody should open does, with a badge and advice. */
type Harm = readonly [badge: string, sentence: string, advice: string];

const RUNS_CODE: Harm = [
  "Runs code",
  "This runs a program in the page that is open.",
  "Do not open or paste it.",
];

/** Schemes of links that lead to no site, and that nobody should open. */
const HARMFUL: ReadonlyMap<string, Harm> = new Map<string, Harm>([
  ["javascript", RUNS_CODE],
  ["vbscript", RUNS_CODE],
  [
    "data",
    [
      "Contains a page",
      "This contains a whole page, which can imitate any site.",
      "Do not open it.",
    ],
  ],
  [
    "search-ms",
    [
      "Remote files",
      "In Windows, this can show a stranger’s files as if they were your own.",
      "Do not open it: attackers use such links.",
    ],
  ],
]);
/** Schemes of links that lead to no site, but may do harm. */
const DOUBTFUL: ReadonlyMap<string, readonly string[]> = new Map([
  ["data", ["It contains a whole page or file.", UNEXPECTED]],
  ["ms-word", OFFICE],
  ["ms-excel", OFFICE],
  ["ms-powerpoint", OFFICE],
]);
/** Other schemes of links that lead to no site. */
const NO_SITES =
  /^(?:about|bitcoin|chrome|ethereum|geo|litecoin|magnet|mailto|market|matmsg|monero|otpauth|sip|smsto|sms|tel|wifi)$/;
/** Schemes of links that lead to no site, unless a host is read in the link. */
const PERHAPS_SITES = /^(?:blob|file|view-source)$/;
const SCHEME = /^\s*([a-z][a-z-]*):/;
/** A `data:` link of a type that cannot run code: browsers show it as a picture or a plain text. */
const PLAIN_DATA = /^\s*data:(?:image\/(?!svg)|audio\/|video\/|font\/|text\/plain|[,;])/i;
/** `file://server/share`, also with more slashes, but not a file on the reader's own device. */
const FILE_SERVER =
  /^\s*(?:file:(?:[\\/]{2}|[\\/]{4,5})|(?:smb|nfs|afp):[\\/]{2})(?!localhost[\\/]|[a-z]:)[^\\/\s?#]+/i;

/** Describes a link whose scheme opens no site; `null` for any other text. */
export function linkToNoSite(input: string, name: string | null): OtherText | null {
  if (FILE_SERVER.test(input)) {
    return { sentence: "This opens a file server, not a web page.", facts: FILE_SERVER_FACTS };
  }
  const [, scheme = ""] = SCHEME.exec(input.toLowerCase()) ?? [];
  const harm = HARMFUL.get(scheme);
  if (harm !== undefined && !PLAIN_DATA.test(input)) {
    const [badge, sentence, advice] = harm;
    return { sentence, facts: [advice, NO_LIST_HAS_IT], harm: badge };
  }
  const doubt = DOUBTFUL.get(scheme);
  const isOther = NO_SITES.test(scheme) || (name === null && PERHAPS_SITES.test(scheme));
  if (doubt === undefined && !isOther) return null;
  const article = /^[aeo]/.test(scheme) ? "An" : "A";
  const sentence = `${article} “${scheme}:” link leads to no site.`;
  return { sentence, facts: [...(doubt ?? []), NO_LIST_HAS_IT] };
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
/** A number with an international prefix, or with the zero before an area code and separators. */
const TELEPHONE = /^\s*(?:\+|\(?00?[1-9]\d*\)?[\s()./-])\s*\d/;
const IBAN = /^\s*[a-z]{2}\d{2}(?:[ -]?[a-z\d]){11,30}\s*$/i;
/** The name of a publication. Browsers read its beginning as an IPv4 address in private networks. */
const DOI = /^\s*(10\.\d{4,9}(?:\.\d+)*\/[!-~]+)\s*$/;
const BEGINNING = /^\s*(?:h|ht|htt|https?|https?:\/{0,2})\s*$/i;
const WORD = /^\s*[^\s/?#:@\\]+\s*$/u;
/** Digits that are no telephone number: a date, or more than the 15 digits that one may have (ITU-T E.164). */
const NO_TELEPHONE = /^\s*(?:\d\d?([.-])\d\d?\1\d{4}|\d{4}-\d\d-\d\d)\s*$|(?:\d\D*){16}/;
/** A link to an email address, perhaps with a subject (RFC 6068). */
const MAILTO = /^\s*mailto:([^?]*)(?:\?.*)?$/is;
const EMAIL_ADDRESS = /^\s*[^\s@/?#:\\<>"]+@([^\s@/?#:\\<>"]+\.[^\s@/?#:\\<>".]+)\s*$/u;

/**
 * Describes a text that nobody means as a link, such as a number, although browsers may read it as a URL; `null` for
 * any other text.
 */
export function neverLink(input: string): OtherText | null {
  if (NETWORK_PATH.test(input)) {
    return {
      sentence: "This is a Windows network path. It opens a file server, not a web page.",
      facts: FILE_SERVER_FACTS,
    };
  }
  if (!/[\p{L}\p{N}]/u.test(input)) {
    return { sentence: "There is no link in this text.", facts: [PASTE] };
  }
  if (TELEPHONE.test(input) && NUMBER.test(input)) {
    const facts = ["Do not call it back: look up the number of the sender yourself."];
    return { sentence: "This is a telephone number, not a link.", facts };
  }
  if (NUMBER.test(input)) {
    const advice =
      "If it is a telephone number, do not call it back: look up the number of the sender yourself.";
    const facts = [NO_TELEPHONE.test(input) ? PASTE : advice];
    return { sentence: "This is a number, not a link.", facts };
  }
  if (isIban(input)) {
    const facts = ["It cannot be checked here. Pay only to account numbers that you know."];
    return { sentence: "This is an account number (IBAN), not a link.", facts };
  }
  const doi = DOI.exec(input)?.[1];
  if (doi !== undefined) {
    const facts = [`https://doi.org/${doi} leads to the publication.`];
    return { sentence: "This is a DOI, not a link.", facts };
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
    return { sentence: "This is only the beginning of a link.", facts: [PASTE] };
  }
  const domain = domainOfAddress(input);
  if (domain !== null) {
    const facts = [`To check the site of its domain, paste ${domain} alone.`];
    return { sentence: "This is an email address, not a link.", facts };
  }
  const link = linkToNoSite(input, name);
  if (link !== null) return link;
  if (name === null && WINDOWS_PATH.test(input)) {
    return { sentence: "This names a file on a computer. It is not a link.", facts: [PASTE] };
  }
  if (name !== null && !/\.|^localhost$/.test(name) && WORD.test(input)) {
    return { sentence: "This is one word, not a link. Browsers search for it.", facts: [PASTE] };
  }
  return null;
}

/** The domain of an email address, or of the one in a `mailto:` link; `null` for any other text. */
export function domainOfAddress(input: string): string | null {
  return EMAIL_ADDRESS.exec(MAILTO.exec(input)?.[1] ?? input)?.[1] ?? null;
}

/**
 * Whether a text is the number of a bank account, with the right check digits.
 *
 * @see ISO 13616-1 and ISO 7064, MOD 97-10
 */
function isIban(input: string): boolean {
  if (!IBAN.test(input)) return false;
  const number = input.replace(/[\s-]/g, "").toUpperCase();
  const digits = (number.slice(4) + number.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...digits].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0) === 1;
}
