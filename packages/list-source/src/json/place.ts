import { ANY, isAllowing, type PathStep } from "./path.ts";

/** All values of a document that have the same path. */
export interface Place {
  readonly parent: Place | null;
  readonly step: PathStep;
  readonly isAllowing: boolean;
  /** Whether the place is inside something about the document, such as its publisher. */
  readonly isAbout: boolean;
  members: Map<string, Place> | null;
  any: Place | null;
  elements: Place | null;
  count: number;
  tested: number;
  /** The first string that could be an entry. */
  example: string | null;
  /** The first string, shortened. */
  sample: string | null;
}

/** Names that identify records: numbers, UUIDs, hashes, and hosts or URLs. */
const IDENTIFIER =
  /^(?:[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,128}|.*[.:/].*)$/is;
/** The maximum number of different member names at a place. All further names count as identifiers. */
export const MOST_NAMES: number = 1000;
/** Members with facts about a document, or with other lists: their URLs are not entries. */
const ABOUT =
  /^_?(?:links?|sources?|(?:external_?)?references?|refs?|feeds?|lists|adlists?|publishers?|authors?|reporters?|contributors?|meta(?:data)?|info|about|pagination|paging|licen[cs]e|contacts?|maintainers?|related|homepage)$/i;
export function placeIn(parent: Place | null, step: PathStep): Place {
  const name = typeof step === "string" ? step : "";
  return {
    parent,
    step,
    isAllowing: parent?.isAllowing || isAllowing(name),
    isAbout: parent?.isAbout || ABOUT.test(name.slice(0, 100)),
    members: null,
    any: null,
    elements: null,
    count: 0,
    tested: 0,
    example: null,
    sample: null,
  };
}

/** The place of a member. Members with identifiers as their names have the same place. */
export function memberOf(place: Place, name: string): Place {
  place.members ??= new Map();
  const known = place.members.get(name);
  if (known !== undefined) return known;
  const isFull = place.members.size >= MOST_NAMES;
  if (!isAllowing(name) && (isFull || IDENTIFIER.test(name.slice(0, 300)))) {
    place.any ??= placeIn(place, ANY);
    return place.any;
  }
  // There is one place for all further names that allow something.
  const step = isFull ? "allow" : name;
  const made = place.members.get(step) ?? placeIn(place, step);
  place.members.set(step, made);
  return made;
}

/** The steps to a place, from the root. */
export function stepsTo(place: Place): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (let at = place; at.parent !== null; at = at.parent) steps.push(at.step);
  return steps.reverse();
}
