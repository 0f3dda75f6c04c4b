import type { ListSourceErrorCode } from "../error.ts";
import { ELEMENT } from "./path.ts";
import type { Place } from "./place.ts";
import type { JsonMember } from "./visitor.ts";

/** The kind of a document that must not be read as a list of entries. */
export interface ForeignJson {
  readonly code: Extract<ListSourceErrorCode, "allow-list" | "foreign-format">;
  readonly found: string;
}

interface ForeignObject extends ForeignJson {
  /** Groups of member names. An object with all members of any group matches. */
  readonly members: readonly (readonly string[])[];
  /** The name of the array that contains the object; if it is not given, the object may be anywhere. */
  readonly array?: string;
}

/** Objects of documents whose rules may also allow something, or do not say whether they block. */
const FOREIGN: readonly ForeignObject[] = [
  {
    code: "foreign-format",
    found: "rules of sing-box, V2Ray or Xray, which may also let traffic pass",
    array: "rules",
    members: [
      ["domain_suffix"],
      ["domain_keyword"],
      ["domain_regex"],
      ["rule_set"],
      ["outbound"],
      ["outboundTag"],
      ["ip_cidr"],
    ],
  },
  {
    code: "foreign-format",
    found: "rules of Little Snitch, which may also allow connections",
    array: "rules",
    members: [["remote-hosts"], ["remote-domains"], ["remote-addresses"], ["process"]],
  },
  {
    code: "foreign-format",
    found: "content-blocking rules of a browser, which may also make exceptions",
    members: [
      ["trigger", "action"],
      ["condition", "action"],
    ],
  },
];

/** The types of MISP warning lists. */
const WARNING_LISTS: ReadonlySet<unknown> = new Set([
  "hostname",
  "string",
  "substring",
  "cidr",
  "regex",
]);

const KEPT: ReadonlySet<string> = new Set([
  ...FOREIGN.flatMap(({ members }) => members.flat()),
  "type",
  "pattern",
  "value",
  "matching_attributes",
]);

/** Whether {@link foreignObject} needs a member of an object. */
export function isTelling(name: string): boolean {
  return KEPT.has(name);
}

/** The kind of the document that contains an object; `null` when the object does not rule out a list of entries. */
export function foreignObject(
  members: ReadonlyMap<string, JsonMember>,
  place: Place,
): ForeignJson | null {
  if (members.size === 0) return null;
  const type = members.get("type")?.values?.[0]?.value;
  const isWarningList = WARNING_LISTS.has(type) && place.members?.has("list");
  if (isWarningList && (members.has("matching_attributes") || place.members!.has("version"))) {
    return { code: "allow-list", found: "a MISP warning list, which names what is not dangerous" };
  }
  const array = place.step === ELEMENT ? place.parent?.step : null;
  const found = FOREIGN.find(
    (foreign) =>
      (foreign.array === undefined || foreign.array === array) &&
      foreign.members.some((group) => group.every((name) => members.has(name))),
  );
  return found ?? null;
}
