import type { MessageType } from "../message/field.ts";

/** A format that an answer is written in. */
export type Format = "protobuf" | "json";

/** One method of an API: its path, and the messages that go there and back. */
export interface Method<Name extends string, Request, Response> {
  /** As in the API's reference, with the API before it: `"v5.hashes.search"`. */
  readonly name: Name;
  readonly httpMethod: "GET" | "POST";
  /** The path; with a `pathField`, the part of it before the value of that field. */
  readonly path: string;
  /** The field of the request that stands in the path. */
  readonly pathField?: keyof Request & string;
  /** The format of the answer when the request does not ask for one. */
  readonly answer: Format;
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
}

// biome-ignore lint/suspicious/noExplicitAny: a method with any messages
export type AnyMethod = Method<string, any, any>;

/** The record that a method is asked with. */
export type RequestOf<M> = M extends Method<string, infer Request, infer _> ? Request : never;

/** The record that a method answers with. */
export type ResponseOf<M> = M extends Method<string, infer _, infer Response> ? Response : never;
