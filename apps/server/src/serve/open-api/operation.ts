/** A JSON Schema, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a request's or an answer's body by media type; `null` for a media type without a schema. */
type Content = Readonly<Record<string, JsonSchema | null>>;

/** The description of one kind of request, for OpenAPI. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether an API key gives access to private lists. */
  readonly takesKey?: true;
  readonly parameters?: readonly JsonSchema[];
  readonly body?: Content;
  /** The answers by status, each with its meaning. Answers with other statuses have the form of an error. */
  readonly answers: Readonly<Record<number, readonly [meaning: string, content: Content]>>;
}

/** An operation with its method and path. */
export interface PlacedOperation {
  readonly method: "GET" | "POST";
  /** The path, with the names of parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

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
        details: {
          type: "array",
          description: "The wrong fields of the request, as a google.rpc.BadRequest.",
          items: { type: "object" },
        },
      },
    },
  },
};
