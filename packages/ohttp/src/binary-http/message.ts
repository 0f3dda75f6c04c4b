/** A header or trailer field, as its name in lower case and its value. */
export type Field = readonly [name: string, value: string];

/** The parts that requests and responses have in common. */
interface Message {
  /** The header fields, in their order. A name may occur several times. */
  readonly headers?: readonly Field[];
  /** The content. By default, there is none. */
  readonly content?: Uint8Array;
  /** The trailer fields, in their order. */
  readonly trailers?: readonly Field[];
}

/** A request (RFC 9292 §3.4). */
export interface BinaryRequest extends Message {
  readonly method: string;
  /** The scheme, such as `"https"`, which may be empty for `OPTIONS *` and `CONNECT`. */
  readonly scheme: string;
  /** The host and port, or an empty string when a `host` field has them. */
  readonly authority: string;
  /** The path and the query. */
  readonly path: string;
}

/** A response (RFC 9292 §3.5). */
export interface BinaryResponse extends Message {
  /** The final status, from 200 to 599. */
  readonly status: number;
  /** The informational responses before the final one. */
  readonly informational?: readonly InformationalResponse[];
}

/** An informational response, with a status from 100 to 199. */
export interface InformationalResponse {
  readonly status: number;
  readonly headers: readonly Field[];
}

export interface EncodeOptions {
  /** Zeros are added until the message has a multiple of this many bytes (RFC 9292 §3.8). The default, 1, adds none. */
  readonly padTo?: number;
}
