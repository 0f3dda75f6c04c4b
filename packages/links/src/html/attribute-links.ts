import type { Token } from "parse5";
import type { FoundLink } from "../found-link.ts";
import { findInText } from "../text/found-in-text.ts";
import { documentInDataUrl } from "../unwrap/decode.ts";
import {
  type BaseReaders,
  type InnerHtml,
  type LinkCollector,
  refreshUrl,
  type Span,
} from "./collect-links.ts";
import { cssReferences, findInScript } from "./css-and-scripts.ts";
import { addPlain } from "./pending-text.ts";

/** The decoded value of an attribute and its place in the source. */
interface AttributeValue extends Span {
  readonly value: string;
}

/** Receives the links and bases in the attributes of a tag. */
interface AttributeTarget {
  readonly links: LinkCollector;
  /** Takes the links of an `<a>`, whose text follows the tag. */
  readonly openAnchor: (links: readonly FoundLink[]) => void;
  /** The programs for which a `<base>` in the current element counts; `null` if there are none. */
  readonly readersOfBase: () => BaseReaders | null;
}

/** Adds the base, if a tag is a `<base>`. */
export function addBaseOf(
  { links, readersOfBase }: Pick<AttributeTarget, "links" | "readersOfBase">,
  { tagName, attrs }: Token.TagToken,
): void {
  const href = tagName === "base" ? attrs.find(({ name }) => name === "href")?.value : undefined;
  const readers = readersOfBase();
  if (href !== undefined && href !== "" && readers !== null) links.addBase(href, readers);
}

/** Adds the links in the attributes of a tag. The indices of the tag start at `origin`. */
export function addAttributes(target: AttributeTarget, tag: Token.TagToken, origin: number): void {
  const { links } = target;
  addBaseOf(target, tag);
  const { attrs: places = {}, startOffset, endOffset } = tag.location!;
  // If a quotation mark is missing, browsers read a URL as attribute names.
  const broken = tag.attrs.find(({ name }) => /^(?:https?|ftp):$/.test(name));
  if (broken !== undefined) {
    const start = origin + (places[broken.name]?.startOffset ?? startOffset);
    addPlain(links, links.slice(start, origin + endOffset), start, "text");
  }
  for (const { name, value } of tag.attrs) {
    if (tag.tagName === "base" && name === "href") continue;
    const mayBeEmpty = name === "href" && (tag.tagName === "a" || tag.tagName === "area");
    if (value === "" && !mayBeEmpty) continue;
    const place = places[name];
    const start = origin + (place?.startOffset ?? startOffset);
    const end = origin + (place?.endOffset ?? endOffset);
    const span = value === "" ? { start, end } : valueSpan(links.slice(start, end), start);
    addAttribute(target, tag, name, { value, ...span });
  }
}

function addAttribute(
  { links, openAnchor }: AttributeTarget,
  tag: Token.TagToken,
  name: string,
  found: AttributeValue,
): void {
  const { value } = found;
  const where = name === "xlink:href" ? "href" : name;
  const addAll = (values: readonly string[], where: string) => {
    for (const each of values) links.addReference(each, found, where);
  };
  const kind = attributeKind(tag.tagName, name);
  // Without a valid time, browsers follow no refresh, so the value is searched like any other.
  const refresh = kind === "refresh" && isRefresh(tag) ? refreshUrl(value) : null;
  if (kind === "none") return;
  if (kind === "document") addDocument(links, value, found);
  else if (kind === "script") addText(links, found, "script");
  else if (refresh !== null) links.addReference(refresh, found, "refresh");
  else if (kind === "other" || kind === "refresh") {
    const css = value.includes("(") ? references("css", value) : [];
    if (css.length > 0) addAll(css, "css");
    else addText(links, found, where, isWhole);
  } else if (kind === "url") {
    const isAnchor = name.endsWith("href") && tag.tagName === "a";
    if (isAnchor) openAnchor(links.linksTo(value, found, where));
    else links.addReference(value, found, where);
    if (/^[\0- ]*javascript:/i.test(value)) addText(links, found, "script");
    const document = documentInDataUrl(value);
    if (document !== null) addDocument(links, document, found, { isDocument: true, bases: [null] });
  } else addAll(references(kind, value), kind === "css" ? "css" : where);
}

function isRefresh({ tagName, attrs }: Token.TagToken): boolean {
  return tagName === "meta" && attrs.some(({ name }) => name === "http-equiv");
}

/** Whether a link has a scheme or begins with two slashes. */
function isWhole(text: string): boolean {
  return /^(?:[^\s/]*:|\/\/)/.test(text);
}

/** Whether a value has no character references, so that its indices map directly to the source. */
function isPlain({ value, start, end }: AttributeValue): boolean {
  return end - start === value.length;
}

function addText(
  links: LinkCollector,
  found: AttributeValue,
  where: string,
  isWanted: (text: string) => boolean = () => true,
): void {
  const add = (link: FoundLink) => {
    const here = { start: found.start + link.start, end: found.start + link.end };
    const { start, end } = isPlain(found) ? here : found;
    links.addHere({ ...link, start, end, text: links.slice(start, end) });
  };
  if (where === "script") findInScript(found.value, add);
  else findInText(found.value, 0, (link) => isWanted(link.text) && add(link), where);
}

/** Adds the links in the HTML document of a `srcdoc` attribute or a `data:` URL. */
function addDocument(
  links: LinkCollector,
  html: string,
  { start, end }: Span,
  inner: InnerHtml = { isDocument: true },
): void {
  const isPlain = links.slice(start, end) === html;
  for (const link of links.foundBy(() => links.addNested(html, start, inner))) {
    const here = { start: link.start - links.offset, end: link.end - links.offset };
    const place = isPlain ? here : { start, end };
    links.addHere({ ...link, ...place, text: links.slice(place.start, place.end) });
  }
}

/** The place of an attribute's value, without the name and any quotation marks. */
function valueSpan(attribute: string, start: number): Span {
  const end = start + attribute.length;
  const equals = attribute.indexOf("=");
  if (equals === -1) return { start, end };
  let from = equals + 1;
  while (/\s/.test(attribute.charAt(from))) from++;
  const quote = attribute.charAt(from);
  if (quote !== '"' && quote !== "'") return { start: start + from, end };
  const isClosed = attribute.endsWith(quote) && attribute.length > from + 1;
  return { start: start + from + 1, end: isClosed ? end - 1 : end };
}

/** How the value of an attribute is searched for links. */
type AttributeKind =
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

function attributeKind(tag: string, name: string): AttributeKind {
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
function references(kind: AttributeKind, value: string): string[] {
  if (kind === "url") return [value];
  if (kind === "urls") return value.split(/[\s,]+/);
  if (kind === "srcset") return srcsetReferences(value);
  return cssReferences(value).map((each) => each.value);
}

/** @see HTML §4.8.4.3.10 */
function srcsetReferences(value: string): string[] {
  const found: string[] = [];
  const candidate = /[\s,]*([^\s,]\S*)/y;
  let at = 0;
  for (;;) {
    candidate.lastIndex = at;
    const match = candidate.exec(value);
    if (match === null) return found;
    at = candidate.lastIndex;
    const written = match[1]!;
    let length = written.length;
    while (written[length - 1] === ",") length--;
    found.push(written.slice(0, length));
    if (length < written.length) continue;
    // The descriptors end at the next comma outside of parentheses.
    let depth = 0;
    while (at < value.length && (depth > 0 || value[at] !== ",")) {
      if (value[at] === "(") depth++;
      else if (value[at] === ")" && depth > 0) depth--;
      at++;
    }
  }
}
