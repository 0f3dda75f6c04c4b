/** A value that contains no other values. */
export type JsonScalar = string | number | boolean | null;

/** A scalar, and the index in the text where it starts. */
export interface JsonValue {
  readonly value: JsonScalar;
  readonly start: number;
}

/** A member of an object. */
export interface JsonMember {
  /** The value, or the elements of an array; `null` if the value is an object, or an array with objects or arrays. */
  readonly values: readonly JsonValue[] | null;
  readonly isArray: boolean;
  /** Whether the member is an empty object or array. */
  readonly isEmpty: boolean;
}

/** The members of an object that were kept. */
export interface JsonObject {
  readonly members: ReadonlyMap<string, JsonMember>;
  /** The kept members that the object has several times. */
  readonly repeated: ReadonlySet<string>;
  readonly start: number;
  /** The index after the object. */
  readonly end: number;
}

/** Receives the values of a text, in order. A place is whatever the visitor uses to know where a value is. */
export interface JsonVisitor<Place> {
  readonly root: Place;
  /** The place of a member of an object. */
  member(object: Place, name: string): Place;
  /** The place of the elements of an array, which starts at an index. */
  element(array: Place, start: number): Place;
  /** Whether {@link object} needs a member. Members that are not kept take no memory. */
  keeps(object: Place, name: string): boolean;
  /** Called for each value that contains no others. */
  scalar(place: Place, value: JsonValue): void;
  /** Called at the end of each object. */
  object(place: Place, object: JsonObject): void;
}
