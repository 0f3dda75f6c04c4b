import type { LineRecognition } from "./line.ts";

/** What comes before a host. The user name, which may have any characters, is taken as a whole, in linear time. */
const BEFORE_HOST =
  "^\\s*(?:[a-z][a-z0-9+.-]*://)?(?:(?=([^\\s/?#\\\\]*@))\\1|(?![^\\s/?#\\\\]*@))";
const IN_HOST = "[^\\s/?#@\\\\]*";

/** `mailto:` and the like, for which canonicalization has a better message. */
const OPAQUE = /^\s*[a-z][a-z0-9+.-]*:(?![\d/\\])/i;

/** The order matters. */
const SHAPES: readonly (LineRecognition & { readonly shape: RegExp })[] = [
  { code: "control-character", found: "text with NUL characters, such as UTF-16", shape: /\0/ },
  {
    code: "several-urls",
    found: "text with a URL after a blank",
    shape: /\S\s+[a-z][a-z0-9+.-]*:\/\//i,
  },
  {
    code: "comma-separated",
    found: "a line of CSV",
    shape: new RegExp(`${BEFORE_HOST}${IN_HOST}[,;|]`, "i"),
  },
  {
    code: "wildcard",
    found: "a host with a wildcard",
    shape: new RegExp(`${BEFORE_HOST}(?!\\*\\.)${IN_HOST}\\*`, "i"),
  },
  {
    code: "host-character",
    found: "text with a character that no host has",
    // Some characters do occur in the first labels of hosts, but never in the last one.
    shape: new RegExp(
      `${BEFORE_HOST}${IN_HOST}(?:["'()<>^\`{}]|[!$&+=~][^\\s/?#@.\\\\]*(?:[/?#]|$))`,
      "i",
    ),
  },
];

/**
 * For a line that should be a URL, and that {@link recognizeLine} does not recognize, returns what it looks like if its
 * host has characters that no host has. Canonicalization takes nearly any text for a host.
 */
export function recognizeHost(line: string): LineRecognition | null {
  const found = SHAPES.find(({ shape }) => shape.test(line));
  if (found === undefined || OPAQUE.test(line)) return null;
  return { code: found.code, found: found.found };
}
