import type { StorageEntry } from "../storage/storage.ts";
import { textOf, tryParseXml, type XmlElement } from "./xml.ts";

export interface ListPage {
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
