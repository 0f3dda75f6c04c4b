import type { MessageType } from "../message/message-type.ts";

export type Format = "protobuf" | "json";

/** One method of an API: its path, and the types of its request and response. */
export interface Method<Name extends string, Request, Response> {
  /** The name of the API and of the method in its reference, such as `"v5.hashes.search"`. */
  readonly name: Name;
  readonly httpMethod: "GET" | "POST";
  /** The path. If there is a `pathField`, this is only the part before the value of that field. */
  readonly path: string;
  /** The field of the request whose value is in the path. */
  readonly pathField?: keyof Request & string;
  /** Whether unknown parameters are an error, because they may be the end of a URL that was not escaped. */
  readonly refusesUnknown?: boolean;
  /** The format of the answer when the request does not ask for one. */
  readonly answer: Format;
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
}

// biome-ignore lint/suspicious/noExplicitAny: a method with any messages
export type AnyMethod = Method<string, any, any>;

/** The type of a method's request. */
export type RequestOf<M> = M extends Method<string, infer Request, infer _> ? Request : never;

/** The type of a method's response. */
export type ResponseOf<M> = M extends Method<string, infer _, infer Response> ? Response : never;
