import type { StorageEntry } from "../storage.ts";

/** An element of an XML document, with its text and the elements in it. */
interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};
const MAX_DEPTH = 16;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));|&/gi;
/**
 * Matches a tag with any attributes, or the declaration before the first tag. S3 sends nothing else that begins with
 * `<`.
 */
const TAG = /<(?:\?xml [^<>]*\?|(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(\/?))>/y;

function decodeText(text: string): string | null {
  let isValid = true;
  const decoded = text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    isValid = false;
    return "";
  });
  return isValid ? decoded : null;
}

interface Open {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/**
 * Reads the root of a document in S3's subset of XML: elements, attributes (which are ignored), text, character
 * references and the five entities of XML. Anything else, such as a document type or a comment, gives `null`.
 */
export function tryParseXml(document: string): XmlElement | null {
  const root: Open = { name: "", text: "", children: [] };
  const open: Open[] = [root];
  let at = 0;
  while (at < document.length) {
    const inner = open.at(-1)!;
    const tagAt = document.indexOf("<", at);
    const end = tagAt === -1 ? document.length : tagAt;
    const text = decodeText(document.slice(at, end));
    if (text === null || (inner === root && text.trim() !== "")) return null;
    inner.text += text;
    if (tagAt === -1) break;
    TAG.lastIndex = tagAt;
    const found = TAG.exec(document);
    if (found === null) return null;
    at = TAG.lastIndex;
    const [, closes, name, isEmpty] = found;
    if (name === undefined) {
      if (tagAt !== 0) return null;
    } else if (closes) {
      if (inner === root || inner.name !== name || isEmpty) return null;
      open.pop();
    } else {
      if (open.length > MAX_DEPTH) return null;
      const element: Open = { name, text: "", children: [] };
      inner.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0]! : null;
}

/** The text of the only child with this name; `null` when there is none, or more than one. */
export function textOf(element: XmlElement, name: string): string | null {
  const found = element.children.filter((child) => child.name === name);
  return found.length === 1 ? found[0]!.text : null;
}

interface ListPage {
  readonly entries: readonly StorageEntry[];
  /** The token of the next page; `null` when this is the last one. */
  readonly next: string | null;
}

/**
 * Decodes a key; `null` when it is malformed. S3 encodes keys on request, because XML cannot represent all characters.
 */
function decodeKey(text: string, isEncoded: boolean): string | null {
  if (!isEncoded) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return null;
  }
}

function readEntry(element: XmlElement, folder: string, isEncoded: boolean): StorageEntry | null {
  const isFolder = element.name === "CommonPrefixes";
  const key = decodeKey(textOf(element, isFolder ? "Prefix" : "Key") ?? "", isEncoded);
  if (key === null || !key.startsWith(folder)) return null;
  const name = key.slice(folder.length);
  const slash = name.indexOf("/");
  if (isFolder) return slash === name.length - 1 && slash >= 0 ? { name, modified: null } : null;
  const modified = Date.parse(textOf(element, "LastModified") ?? "");
  return slash === -1 && !Number.isNaN(modified) ? { name, modified } : null;
}

/** Reads an answer to ListObjectsV2 for a folder; `null` for any other answer. */
export function tryReadListPage(bytes: Uint8Array, folder: string): ListPage | null {
  const root = tryParseXml(new TextDecoder().decode(bytes));
  if (root?.name !== "ListBucketResult") return null;
  const isEncoded = textOf(root, "EncodingType") === "url";
  const entries: StorageEntry[] = [];
  for (const element of root.children) {
    if (element.name !== "Contents" && element.name !== "CommonPrefixes") continue;
    const entry = readEntry(element, folder, isEncoded);
    if (entry === null) return null;
    // Some tools create an empty file with the name of the folder.
    if (entry.name !== "") entries.push(entry);
  }
  const isTruncated = textOf(root, "IsTruncated");
  const next = textOf(root, "NextContinuationToken");
  if (isTruncated === "false") return { entries, next: null };
  // An unfinished listing without a token for the next page is refused: otherwise, garbage collection could delete
  // objects that are in use.
  return isTruncated === "true" && next ? { entries, next } : null;
}
