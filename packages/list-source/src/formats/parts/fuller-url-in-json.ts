import type { Output } from "../format.ts";
import { doubtText, isAbout, isHostAlone, mayMatter, otherField } from "./fuller-url.ts";

/** The field to read instead of the field with a usual name, or the reason for doubt about the record. */
export type BesideHosts =
  | { readonly name: string; readonly doubt: null }
  | { readonly name: null; readonly doubt: string };

/** The strings of a record, each with the name of its field and the path to it. */
interface Strings {
  readonly names: string[];
  readonly paths: string[];
  readonly values: string[];
}

/** Objects that are nested more deeply are ignored. */
const MAX_DEPTH = 3;

/** Collects the strings of a field. Objects that are about the entry, such as references, are left out. */
function collect(value: unknown, name: string, path: string, depth: number, to: Strings): void {
  if (typeof value === "string") {
    to.names.push(name);
    to.paths.push(path);
    to.values.push(value.trim());
  } else if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  else if (Array.isArray(value)) {
    for (const each of value) {
      const inside = depth === 0 && typeof each === "string" ? path : `${path}[]`;
      collect(each, name, inside, depth + 1, to);
    }
  } else if (!isAbout(name)) {
    for (const [inner, each] of Object.entries(value)) {
      collect(each, inner, `${path}.${inner}`, depth + 1, to);
    }
  }
}

function mayTell(name: string, value: unknown, host: string): boolean {
  if (typeof value === "string") return mayMatter(name, value.trim(), host);
  return typeof value === "object" && value !== null;
}

/**
 * Looks at the fields beside the host, or the hosts, in the field `column`. See {@link otherField}.
 *
 * @param pathOf returns the name of a field for messages.
 */
export function besideHosts(
  record: Readonly<Record<string, unknown>>,
  column: string,
  urlOf: Output["urlOf"],
  pathOf: (name: string) => string = (name) => name,
): BesideHosts | null {
  const value = record[column];
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  const host = texts.find((each) => isHostAlone(each.trim()))?.trim();
  if (host === undefined) return null;
  const names = Object.keys(record).filter((name) => name !== column);
  // A fast path: in most records, no other field matters.
  if (!names.some((name) => mayTell(name, record[name], host))) return null;
  const strings: Strings = { names: [column], paths: [column], values: [host] };
  for (const name of names) collect(record[name], name, name, 0, strings);
  const { paths, values } = strings;
  const found = otherField(strings.names, values, 0, urlOf);
  if (found === null) return null;
  const path = paths[found.index]!;
  // All values of an array are read, so all of them must be URLs of this host. The column must contain no other host.
  const isOfHost = (_: string, i: number) =>
    paths[i] !== path ||
    otherField([column, strings.names[i]!], [host, values[i]!], 0, urlOf)?.says === "more";
  if (texts.length === 1 && Object.hasOwn(record, path) && values.every(isOfHost)) {
    return { name: path, doubt: null };
  }
  return { name: null, doubt: doubtText(pathOf(column), pathOf(path), values[found.index]!) };
}
