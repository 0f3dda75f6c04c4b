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
/** The places of an attribute, and of its tags. */
const ATTRIBUTE = "Attribute[]";
const TAGS = "Attribute[].Tag";
const TAG = "Attribute[].Tag[]";
/** Matches a tag of MISP's taxonomy "false-positive" that says that an attribute is probably none. */
const TRUE_POSITIVE =
  /^false-positive:(?:confirmed="false"|risk="(?:low|medium|cannot-be-judged)")$/i;
const URL_TYPES: ReadonlySet<unknown> = new Set(["url", "uri"]);

/**
 * Reads the attributes of MISP events, and of the objects in them. An attribute that is not meant for detection, such
 * as the URL of a report, does not apply. Returns the path of the entries.
 */
export function readMisp(text: string, output: DocumentOutput): string {
  /** The tags of the attribute that is being read. */
  let tags: string[] = [];

  function readAttribute({ members, start, repeated }: JsonObject) {
    const isTagged = tags.some((tag) => isAllowed(tag) && !TRUE_POSITIVE.test(tag));
    tags = [];
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
    if (isTagged || isAllowed(comment)) return output.refuse("exception", shown);
    if (typeof value !== "string" || value.trim() === "")
      return output.refuse("field-empty", shown);
    output.entry(isHost ? value.split("|")[0]!.trim() : value.trim(), isHost ? "host" : "field");
  }

  scanJson<string>(text, {
    root: "",
    member(place, name) {
      if (place === ALLOWED || isAllowing(name)) return ALLOWED;
      return place === ATTRIBUTE && name === "Tag" ? TAGS : name;
    },
    element(place) {
      if (place === TAGS) return TAG;
      return place === "Attribute" ? ATTRIBUTE : place === ALLOWED ? ALLOWED : "";
    },
    keeps: (place, name) =>
      (place === ATTRIBUTE && KEPT.has(name)) || (place === TAG && name === "name"),
    scalar() {},
    object(place, object) {
      if (place === ATTRIBUTE) readAttribute(object);
      else if (place === TAG) tags.push(String(object.members.get("name")?.values?.[0]?.value));
    },
  });
  return "Attribute[].value";
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === "1";
