import { type Candidate, mayBeEntries } from "./candidates.ts";
import { ANY, ELEMENT, formatPath, isObject, type PathStep } from "./json-rows.ts";

/** All values of a document that have the same path. */
interface Place {
  readonly steps: readonly PathStep[];
  readonly inside: Map<PathStep, Place>;
  count: number;
  /** The first strings. */
  readonly values: string[];
}

const MOST_VALUES = 100;
/** The maximum number of different member names at a place. All further names count as identifiers. */
const MOST_NAMES = 1000;
/** Names that identify records: numbers, UUIDs, hashes, and hosts or URLs. */
const IDENTIFIER =
  /^(?:[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,128}|.*[.:/].*)$/is;

const placeAt = (steps: readonly PathStep[]): Place => ({
  steps,
  inside: new Map(),
  count: 0,
  values: [],
});

function childOf(place: Place, step: PathStep): Place {
  const known = place.inside.get(step);
  if (known !== undefined) return known;
  const isIdentifier =
    typeof step === "string" &&
    (place.inside.size >= MOST_NAMES || IDENTIFIER.test(step.slice(0, 300)));
  if (isIdentifier) return childOf(place, ANY);
  const made = placeAt([...place.steps, step]);
  place.inside.set(step, made);
  return made;
}

/** The places in JSON values whose strings may be the entries, in the order in which they first occur. */
export function candidatePlaces(
  roots: readonly unknown[],
  isEntry: (text: string) => boolean,
): readonly Candidate[] {
  const places: Place[] = [];

  function visit(value: unknown, place: Place): void {
    if (typeof value === "string") {
      if (place.count++ === 0) places.push(place);
      if (place.values.length < MOST_VALUES && value !== "") place.values.push(value.trim());
    } else if (Array.isArray(value)) {
      const elements = value.length === 0 ? place : childOf(place, ELEMENT);
      for (const each of value) visit(each, elements);
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) visit(value[name], childOf(place, name));
    }
  }

  const root = placeAt([]);
  for (const value of roots) visit(value, root);
  return places.flatMap(({ steps, count, values }) => {
    const example = mayBeEntries(values, values.length, isEntry);
    // An array in an array is a row of a table without names, unless all of its texts are entries.
    const isRow = steps.at(-1) === ELEMENT && steps.at(-2) === ELEMENT && !values.every(isEntry);
    return isRow || example === null ? [] : [{ path: formatPath(steps), count, example }];
  });
}
