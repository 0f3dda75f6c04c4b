import { ERROR_SCHEMA, type JsonSchema, type Operation } from "../open-api/operation.ts";
import { MAX_MATCHES, MAX_URLS } from "./limits.ts";

const text: JsonSchema = { type: "string" };

/** The JSON Schema of an object with exactly these properties, and perhaps some of the optional ones. */
function record(
  properties: Readonly<Record<string, JsonSchema>>,
  description = "",
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: "object",
    ...(description !== "" && { description }),
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    additionalProperties: false,
  };
}

const inside: JsonSchema = record(
  {
    url: text,
    certainty: {
      type: "string",
      enum: ["certain", "hint", "guess"],
      description: "Whether the outer URL certainly leads to this one.",
    },
    through: {
      type: "array",
      items: { type: ["string", "null"] },
      minItems: 1,
      description:
        "The wrappers from the outermost one; null for a URL that is only somewhere in the outer one.",
    },
  },
  "With unwrap=true: the URL inside that is listed, unless it is the given URL itself.",
);
const match = record(
  {
    list: text,
    expression: { type: "string", description: "The part of the URL that is listed." },
    reading: {
      type: "string",
      enum: ["specification", "browser", "both"],
      description: "Whose reading of the URL has this expression.",
    },
  },
  "",
  { inside },
);
const closed: JsonSchema = {
  type: "array",
  items: text,
  minItems: 1,
  description:
    "With unwrap=true: the wrappers of links inside that only their services can open. Where these lead is not known.",
};
const error = record({ code: text, message: text });

const verdict: JsonSchema = {
  oneOf: [
    record(
      {
        url: text,
        listed: { const: true },
        matches: { type: "array", items: match, minItems: 1, maxItems: MAX_MATCHES },
      },
      "",
      {
        more: {
          type: "integer",
          minimum: 1,
          description:
            "How many more matches there are, if they are not all named. For these, full hashes may not have been compared.",
        },
        closed,
      },
    ),
    record({ url: text, listed: { const: false }, matches: { type: "array", maxItems: 0 } }, "", {
      closed,
    }),
    record({ url: text, error }, "The input is not a URL. Do not treat it as safe."),
    record(
      {
        url: text,
        error: record({ code: { const: "list-unavailable" }, message: text, list: text }),
      },
      "The URL is on none of the lists that give an answer, but this list gives none. Do not treat the URL as safe.",
    ),
  ],
};

const row: JsonSchema = {
  oneOf: [
    verdict,
    record(
      { url: { type: "null" }, error },
      "The line is blank or too long, or not JSON of this form.",
    ),
    record(
      { failed: record({ code: { type: "integer" }, message: text }) },
      "The last row of an incomplete answer.",
    ),
  ],
};

const lists: JsonSchema = {
  name: "lists",
  in: "query",
  description:
    "The names of the lists to search, separated by commas; default: all lists that the key opens.",
  schema: { type: "array", items: text, minItems: 1 },
  explode: false,
};

const unwrap: JsonSchema = {
  name: "unwrap",
  in: "query",
  description:
    "Whether to look up the URLs inside each URL, too, such as those in links that mail filters and redirects have wrapped.",
  schema: { type: "boolean", default: false },
};

export const LOOK_UP: Operation = {
  id: "lookup",
  summary: "Which of the given URLs are listed",
  description:
    "application/json is answered with one verdict for each URL, in order. The status is 503 only if no URL has a verdict, because of a list that gives no answer. application/x-ndjson and text/plain, with one URL on each line, are answered while they arrive, with one row of application/x-ndjson for each line, including blank ones. If the connection is cut, the answer is incomplete.",
  takesKey: true,
  parameters: [lists, unwrap],
  body: {
    "application/json": record({
      urls: { type: "array", items: text, maxItems: MAX_URLS },
    }),
    "application/x-ndjson": record({ url: text }, "One line."),
    "text/plain": null,
  },
  answers: {
    200: [
      "The verdicts",
      {
        "application/json": record({ verdicts: { type: "array", items: verdict } }),
        "application/x-ndjson": { ...row, description: "One line." },
      },
    ],
  },
};

export const LOOK_UP_STATUS: Operation = {
  id: "lookup.status",
  summary: "Whether one URL is listed, as an HTTP status",
  description:
    "For nginx's auth_request and the like. Any other status means that there is no verdict.",
  takesKey: true,
  parameters: [
    { name: "url", in: "query", schema: text },
    { name: "X-Original-URL", in: "header", schema: text },
    lists,
    unwrap,
  ],
  answers: {
    200: ["The URL is not listed", { "application/json": verdict }],
    400: [
      "The text is not a URL, or the request is wrong",
      { "application/json": { anyOf: [verdict, ERROR_SCHEMA] } },
    ],
    403: ["The URL is listed", { "application/json": verdict }],
  },
};
