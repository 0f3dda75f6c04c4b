/** A JSON Schema, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The content of a request or an answer by media type; `null` for one that is not JSON. */
type Content = Readonly<Record<string, JsonSchema | null>>;

/** What the document says about one way to ask the server for something. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether an API key opens more. */
  readonly takesKey?: true;
  readonly parameters?: readonly JsonSchema[];
  readonly body?: Content;
  /** The answers by status, with what they mean. All others have the form of an error. */
  readonly answers: Readonly<Record<number, readonly [meaning: string, content: Content]>>;
}

/** Where an operation is. */
export interface PlacedOperation {
  readonly method: "GET" | "POST";
  /** The path, with the names of parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** An error. */
export const ERROR_SCHEMA: JsonSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "integer", description: "The status." },
        message: { type: "string" },
        status: { type: "string", description: "The name of a google.rpc.Code." },
      },
    },
  },
};
