/** A request, exactly as it is sent. */
export interface RequestInfo {
  readonly method: "GET" | "POST";
  /** The host of the server, with its port unless that is the default. */
  readonly host: string;
  /** The path and the query. The query contains the API key, if there is one. */
  readonly path: string;
  readonly body: Uint8Array | null;
  /**
   * The role of the request when a relay is used. `"inner"` is for the server: it is encrypted, and sent only in the
   * `"outer"` request, which goes to the relay. `"keys"` asks for the keys of the server. Not set if the request is
   * sent directly.
   */
  readonly ohttp?: "inner" | "outer" | "keys";
}

/** Called with each request before it is sent. When it returns `false`, throws or rejects, the request is not sent. */
export type OnRequest = (request: RequestInfo) => unknown;

export type Purpose = "update" | "search";

/** A request of a protocol, as `writeRequest` of `@x/wire` returns it. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}
