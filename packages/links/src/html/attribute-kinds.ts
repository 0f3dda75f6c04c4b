import { cssReferences } from "./css.ts";
import { srcsetReferences } from "./srcset.ts";

/** How the value of an attribute is searched for links. */
export type AttributeKind =
  | "url"
  | "urls"
  | "srcset"
  | "css"
  | "script"
  | "document"
  | "refresh"
  | "other"
  | "none";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const URLS: ReadonlySet<string> = setOf(
  "href xlink:href src action formaction poster background cite data longdesc manifest codebase dynsrc lowsrc icon data-href data-src data-url data-link data-original data-background",
);
const NAMES_OF_VOCABULARIES =
  /^(?:xmlns|xsi:|xml:|itemtype$|itemid$|vocab$|prefix$|profile$|about$|typeof$|property$|resource$|datatype$)/;

export function attributeKind(tag: string, name: string): AttributeKind {
  if (URLS.has(name)) return "url";
  if (name === "ping" || name === "attributionsrc" || name === "archive") return "urls";
  if (name === "srcset" || name === "imagesrcset") return "srcset";
  if (name === "style") return "css";
  if (name === "srcdoc") return "document";
  if (name === "content" && tag === "meta") return "refresh";
  if (name.startsWith("on")) return "script";
  return NAMES_OF_VOCABULARIES.test(name) ? "none" : "other";
}

/** The references in a value of the kind `url`, `urls`, `srcset` or `css`. */
export function references(kind: AttributeKind, value: string): string[] {
  if (kind === "url") return [value];
  if (kind === "urls") return value.split(/[\s,]+/);
  if (kind === "srcset") return srcsetReferences(value);
  return cssReferences(value).map((each) => each.value);
}
