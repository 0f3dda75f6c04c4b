/** An element of an XML document, with its text and the elements in it. */
export interface XmlElement {
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
