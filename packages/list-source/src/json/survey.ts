import type { Output } from "../formats/format.ts";
import { isListName, usualRank } from "../formats/parts/columns.ts";
import { mayReportError, reportsError } from "../formats/parts/json-error.ts";
import { isAllowed } from "../formats/parts/record-verdicts.ts";
import { shorten } from "../shorten.ts";
import { type ForeignJson, foreignObject, isTelling } from "./other-software.ts";
import { ELEMENT, type PathStep } from "./path.ts";
import { MOST_NAMES, memberOf, type Place, placeIn, stepsTo } from "./place.ts";
import { recordOf, scanJson } from "./scan.ts";
import type { JsonProblem } from "./tokens.ts";
import type { JsonVisitor } from "./visitor.ts";

/** A place in a document whose strings may be entries. */
export interface Candidate {
  readonly steps: readonly PathStep[];
  /** The number of strings at the place. */
  readonly count: number;
  /** One of the strings, printable and shortened. */
  readonly example: string;
  /** The rank of the name, from 0 for the most common one; -1 for other names, which are read only if asked for. */
  readonly rank: number;
  /** Whether the place is inside a member that contains exceptions. */
  readonly isAllowing: boolean;
  readonly place: Place;
}

export interface JsonSurvey {
  readonly problem: JsonProblem | null;
  /** The number of values at the top level of the text. */
  readonly roots: number;
  readonly candidates: readonly Candidate[];
  /** All places with strings. */
  readonly places: readonly Place[];
  /** The format of a document with records that have more than one meaning. */
  readonly profile: "stix" | "misp" | null;
  readonly foreign: ForeignJson | null;
  /** The index of an object at the root that reports an error; -1 when there is none. */
  readonly errorIndex: number;
  /** Whether an object at the root says that it is an allow list, as in `"type": "whitelist"`. */
  readonly isAllowList: boolean;
  /** The first member name that is a host; null when there is none. */
  readonly hostName: string | null;
  /** The names at the root of the document, in lower case. */
  readonly rootNames: ReadonlySet<string>;
}

/** The maximum number of strings that are tested at each place. */
const MOST_TESTED = 100;
/** Names of members at the root that say what a document is. */
const SAYS_WHAT = /^(?:(?:list[-_]?)?type|list[-_]?name|name|title|action|category)$/i;
/** The rank of a list whose name is not that of a column. */
const LIST_RANK = 50;

/** Looks through a whole document for the places of its entries. */
export function surveyJson(text: string, accepts: Output["accepts"]): JsonSurvey {
  const root = placeIn(null, ELEMENT);
  const found: Place[] = [];
  const rootNames = new Set<string>();
  let roots = 0;
  let hostName: string | null = null;
  let errorIndex = -1;
  let isAllowList = false;
  let profile: JsonSurvey["profile"] = null;
  let foreign: ForeignJson | null = null;

  const visitor: JsonVisitor<Place> = {
    root,
    member(place, name) {
      hostName ??= name.includes(".") && accepts(name, "host") ? shorten(name) : null;
      if (place === root && rootNames.size < MOST_NAMES) rootNames.add(name.toLowerCase());
      return memberOf(place, name);
    },
    element: (place) => (place.elements ??= placeIn(place, ELEMENT)),
    keeps: (place, name) =>
      isTelling(name) || (place === root && (mayReportError(name) || SAYS_WHAT.test(name))),
    scalar(place, { value }) {
      if (place === root) roots++;
      if (typeof value !== "string") return;
      if (place.count++ === 0) {
        found.push(place);
        place.sample = shorten(value);
      }
      if (place.tested >= MOST_TESTED || place.example !== null) return;
      place.tested++;
      const entry = value.trim();
      if (accepts(entry, "field")) place.example = shorten(entry);
    },
    object(place, object) {
      if (place === root) {
        roots++;
        const fields = recordOf(object);
        if (reportsError(fields)) errorIndex = object.start;
        isAllowList ||= Object.entries(fields).some(
          ([name, value]) => SAYS_WHAT.test(name) && isAllowed(String(value)),
        );
      }
      const { members } = object;
      foreign ??= foreignObject(members, place);
      const type = members.get("type")?.values?.[0]?.value;
      const text = (name: string) => typeof members.get(name)?.values?.[0]?.value === "string";
      if (type === "indicator" && text("pattern")) profile ??= "stix";
      const isAttribute = place.step === ELEMENT && place.parent?.step === "Attribute";
      if (isAttribute && typeof type === "string" && text("value")) profile ??= "misp";
    },
  };
  const problem = scanJson(text, visitor);
  const candidates = found.flatMap((place) => candidateAt(place) ?? []);
  return {
    problem,
    roots,
    candidates,
    places: found,
    profile,
    foreign,
    errorIndex,
    isAllowList,
    hostName,
    rootNames,
  };
}

/** The candidate at a place; null when no string there could be an entry. */
function candidateAt(place: Place): Candidate | null {
  const { count, example, isAllowing } = place;
  if (example === null) return null;
  const steps = stepsTo(place);
  return { steps, count, example, rank: place.isAbout ? -1 : rankOf(steps), isAllowing, place };
}

function rankOf(steps: readonly PathStep[]): number {
  const last = steps.at(-1);
  const name = last === ELEMENT ? steps.at(-2) : last;
  if (name === undefined || name === ELEMENT) {
    // The whole document is an array of strings, or consists of several strings.
    return steps.length <= 1 ? LIST_RANK : -1;
  }
  if (typeof name !== "string") return -1;
  const rank = usualRank(name);
  if (rank >= 0) return rank;
  return last === ELEMENT && isListName(name) && isList(steps) ? LIST_RANK : -1;
}

/** Whether an array is outside all records. Inside a record, only arrays with usual names are read. */
function isList(steps: readonly PathStep[]): boolean {
  return steps.slice(0, -1).every((step) => typeof step === "string");
}
