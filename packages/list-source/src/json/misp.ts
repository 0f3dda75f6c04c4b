import { remarkAllows } from "../formats/parts/allow-remarks.ts";
import { isAllowed } from "../formats/parts/record-verdicts.ts";
import { isAllowing } from "./path.ts";
import { scanJson } from "./scan.ts";
import type { DocumentOutput } from "./selected.ts";
import type { JsonObject } from "./visitor.ts";

const KEPT: ReadonlySet<string> = new Set(["type", "value", "to_ids", "deleted", "comment"]);
/**
 * The types of attributes that are entries. If a type has a bar, the value also has one, and a second value after it.
 */
const HOST_TYPES: ReadonlySet<unknown> = new Set([
  "domain",
  "hostname",
  "domain|ip",
  "hostname|port",
]);
/** The place of everything inside a member that contains exceptions. */
const ALLOWED = "[allowed]";
const URL_TYPES: ReadonlySet<unknown> = new Set(["url", "uri"]);

/**
 * Reads the attributes of MISP events, and of the objects in them. An attribute that is not meant for detection, such
 * as the URL of a report, does not apply. Returns the path of the entries.
 */
export function readMisp(text: string, output: DocumentOutput): string {
  function readAttribute({ members, start, repeated }: JsonObject) {
    const first = (name: string) => members.get(name)?.values?.[0]?.value;
    const type = first("type");
    const value = first("value");
    output.at(members.get("value")?.values?.[0]?.start ?? start);
    const shown = `${type}: ${value}`;
    const isHost = HOST_TYPES.has(type);
    if (!isHost && !URL_TYPES.has(type)) return output.notApplicable(shown);
    if (repeated.size > 0) return output.refuse("field-repeated", shown);
    const isMeant = isTrue(first("to_ids")) && !isTrue(first("deleted"));
    if (!isMeant) return output.notApplicable(shown);
    const comment = String(first("comment"));
    if (isAllowed(comment) || remarkAllows(comment)) return output.refuse("exception", shown);
    if (typeof value !== "string" || value.trim() === "")
      return output.refuse("field-empty", shown);
    output.entry(isHost ? value.split("|")[0]!.trim() : value.trim(), isHost ? "host" : "field");
  }

  scanJson<string>(text, {
    root: "",
    member: (place, name) => (place === ALLOWED || isAllowing(name) ? ALLOWED : name),
    element: (place) => (place === "Attribute" ? "Attribute[]" : place === ALLOWED ? ALLOWED : ""),
    keeps: (place, name) => place === "Attribute[]" && KEPT.has(name),
    scalar() {},
    object(place, object) {
      if (place === "Attribute[]") readAttribute(object);
    },
  });
  return "Attribute[].value";
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === "1";
