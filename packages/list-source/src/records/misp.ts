import type { Output } from "../formats/format.ts";
import { beginningOf } from "./json-rows.ts";

/**
 * The types of attributes that are entries. If a type has a bar, the value also has one, and a second value after it.
 */
const HOST_TYPES: ReadonlySet<unknown> = new Set([
  "domain",
  "hostname",
  "domain|ip",
  "hostname|port",
]);
const URL_TYPES: ReadonlySet<unknown> = new Set(["url", "uri"]);

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (object: Fields, name: string): readonly unknown[] | null =>
  Array.isArray(object[name]) ? object[name] : null;

/**
 * The attributes of MISP events, and of the objects in them; `null` for other documents. The document is an event, an
 * array of events, or the answer of a server.
 */
export function attributesOf(document: unknown): readonly unknown[] | null {
  const answer = isObject(document) ? document["response"] : undefined;
  const events = answer ?? document;
  const found: unknown[] = [];
  for (const event of Array.isArray(events) ? events : [events]) {
    const attributes = isObject(event) ? attributesIn(event) : null;
    if (attributes === null) return null;
    found.push(...attributes);
  }
  return found.length > 0 ? found : null;
}

function attributesIn(record: Fields): readonly unknown[] | null {
  const event = isObject(record["Event"]) ? record["Event"] : record;
  const attributes = listIn(event, "Attribute");
  const objects = listIn(event, "Object");
  if (attributes === null && objects === null) return null;
  const inside = (objects ?? []).flatMap((each) =>
    isObject(each) ? (listIn(each, "Attribute") ?? [each]) : [each],
  );
  return [...(attributes ?? []), ...inside];
}

/**
 * Reads attributes. One that is not meant for detection (`to_ids`), such as the URL of a report, does not apply.
 * Returns the path of the entries.
 */
export function readMisp(attributes: readonly unknown[], output: Output): string {
  for (const [i, attribute] of attributes.entries()) {
    output.at(i + 1);
    if (isObject(attribute) && typeof attribute["type"] === "string")
      readAttribute(attribute, output);
    else output.refuse("field-missing", beginningOf(attribute));
  }
  return "Attribute[].value";
}

function readAttribute({ type, value, to_ids, deleted }: Fields, output: Output) {
  const shown = `${type}: ${beginningOf(value)}`;
  const isHost = HOST_TYPES.has(type);
  const isMeant = isTrue(to_ids) && !isTrue(deleted);
  if (!isMeant || !(isHost || URL_TYPES.has(type))) return output.notApplicable(shown);
  if (typeof value !== "string" || value.trim() === "") return output.refuse("field-empty", shown);
  output.entry(isHost ? value.split("|")[0]!.trim() : value.trim(), isHost ? "host" : "field");
}

const isTrue = (value: unknown): boolean => /^(?:true|1)$/i.test(String(value));
