import type { JsonMember, JsonScalar, JsonValue, JsonVisitor } from "./visitor.ts";

/** An object or array that is still open. */
interface OpenValue<Place> {
  readonly isArray: boolean;
  readonly place: Place;
  readonly start: number;
  /** The place of the elements, or of the current member. */
  inner: Place;
  /** The name of the current member, if it is kept. */
  kept: string | null;
  members: Map<string, JsonMember> | null;
  repeated: Set<string> | null;
  isEmpty: boolean;
  /** The elements of an array that is a kept member, unless one of them is an object or array; otherwise `null`. */
  values: JsonValue[] | null;
}

const NOTHING_KEPT: ReadonlyMap<string, JsonMember> = new Map();
const NOTHING_REPEATED: ReadonlySet<string> = new Set();

/** The objects and arrays that are still open while a text is scanned. */
export interface OpenValues {
  depth(): number;
  isInside(): boolean;
  /** Whether the innermost open value is an array. */
  isInArray(): boolean;
  open(isArray: boolean, start: number): void;
  /** Closes the innermost open value. @param end the index after it. */
  close(end: number): void;
  /** Starts a member of the innermost open object. */
  startMember(name: string): void;
  addScalar(value: JsonScalar, start: number): void;
}

function keep<Place>(object: OpenValue<Place>, member: JsonMember): void {
  const name = object.kept!;
  object.members ??= new Map();
  if (object.members.has(name)) {
    object.repeated ??= new Set();
    object.repeated.add(name);
  }
  object.members.set(name, member);
  object.kept = null;
}

/** Passes values to a visitor, and keeps the members that the visitor asks for until their objects end. */
export function openValues<Place>(visitor: JsonVisitor<Place>): OpenValues {
  const stack: OpenValue<Place>[] = [];
  let top: OpenValue<Place> | undefined;

  return {
    depth: () => stack.length,
    isInside: () => top !== undefined,
    isInArray: () => top?.isArray === true,

    open(isArray, start) {
      const place = top === undefined ? visitor.root : top.inner;
      const isKept = top?.kept != null;
      const inner = isArray ? visitor.element(place, start) : place;
      // The elements of an array are kept only if the array itself is a member.
      if (top?.values != null) top.values = null;
      if (top !== undefined) top.isEmpty = false;
      const values = isArray && isKept ? [] : null;
      top = {
        isArray,
        place,
        start,
        inner,
        kept: null,
        members: null,
        repeated: null,
        isEmpty: true,
        values,
      };
      stack.push(top);
    },

    close(end) {
      const { isArray, place, start, members, repeated, values, isEmpty } = stack.pop()!;
      if (!isArray) {
        visitor.object(place, {
          members: members ?? NOTHING_KEPT,
          repeated: repeated ?? NOTHING_REPEATED,
          start,
          end,
        });
      }
      top = stack.at(-1);
      if (top?.kept != null) keep(top, { values, isArray, isEmpty });
    },

    startMember(name) {
      top!.inner = visitor.member(top!.place, name);
      top!.kept = visitor.keeps(top!.place, name) ? name : null;
    },

    addScalar(value, start) {
      const found = { value, start };
      visitor.scalar(top === undefined ? visitor.root : top.inner, found);
      if (top !== undefined) top.isEmpty = false;
      if (top?.kept != null) keep(top, { values: [found], isArray: false, isEmpty: false });
      else top?.values?.push(found);
    },
  };
}
