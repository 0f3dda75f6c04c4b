import { expecting } from "@x/command-line";
import { isWhere, SOURCE_FORMATS, type SourceFormat } from "@x/list-source";
import { parseRemovalLimit, type RemovalLimit } from "../../publish/removal-limits.ts";
import { parseLifetime, parseMinInterval } from "../option-values.ts";

/** A key of the publisher's file (`--config`), with its meaning and its valid values. */
export interface Key<Value> {
  readonly description: string;
  /** The JSON Schema of the values. */
  readonly schema: object;
  /** Parses a value. Throws an error that names the expected values. */
  read(value: unknown): Value;
}

function ofText<Value>(
  description: string,
  schema: object,
  parse: (text: string) => Value,
): Key<Value> {
  const read = (value: unknown) => parse(typeof value === "string" ? value : "");
  return { description, schema: { type: "string", ...schema }, read };
}

const flag = (description: string): Key<boolean> => ({
  description,
  schema: { type: "boolean" },
  read(value) {
    if (typeof value === "boolean") return value;
    throw new Error("Expected true or false.");
  },
});

function oneOf<Value extends string>(description: string, values: readonly Value[]): Key<Value> {
  const expected = `one of ${values.join(", ")}`;
  const find = (text: string) => values.find((each) => each === text) ?? null;
  return ofText(description, { enum: values }, expecting(expected, find));
}

const NOT_EMPTY = { minLength: 1 };
const someText = expecting("text", (text) => (text === "" ? null : text));

const LIMIT = "a share such as 20%, or a number of entries";

/** The keys that are valid for a list and in `defaults`. */
export const SETTINGS = {
  lifetime: ofText(
    "how long a published version is valid, from 1m to 365d",
    { pattern: "^[0-9]{1,6}[smhd]$" },
    parseLifetime,
  ),
  "min-interval": ofText(
    "the shortest time between two versions, up to 7d",
    { pattern: "^[0-9]{1,6}[smhd]$" },
    parseMinInterval,
  ),
  "max-removed": {
    description:
      "how much a new version may remove: a share of a list of more than 100 entries, or a number of entries",
    schema: {
      anyOf: [
        { type: "string", pattern: "^(100|[0-9]{1,2})%$" },
        { type: "integer", minimum: 0, maximum: 999_999_999 },
      ],
    },
    read: (value: unknown): RemovalLimit =>
      expecting(
        LIMIT,
        parseRemovalLimit,
      )(typeof value === "number" || typeof value === "string" ? String(value) : ""),
  },
  interop: flag("publish variants of the entries, for clients that read URLs differently"),
  "share-exceptions": flag(
    "let the Adblock exceptions (@@) of a source leave out entries of the other sources, too",
  ),
  "allow-empty": flag("publish the list even if one of its sources is empty"),
  "allow-broad": flag("publish entries for suffixes such as com and co.uk"),
  "skip-bad": flag("leave out lines that are refused, and publish the others"),
} as const satisfies Record<string, Key<unknown>>;

/** A building block for regular expressions: a value of `where`. */
const WHERE = "^(all|[^=]+=.*)$";

/** The keys of a source that is a mapping instead of a plain string. */
export const SOURCE_KEYS = {
  source: ofText("a file, or a URL such as https://feed.example/urls.txt", NOT_EMPTY, someText),
  format: oneOf<SourceFormat>("the format of the source; recognized by default", SOURCE_FORMATS),
  column: ofText(
    "the CSV column, or JSON field or path, that holds the entries",
    NOT_EMPTY,
    someText,
  ),
  where: {
    description:
      'the rows that are entries: "all", or a condition such as "verdict=malicious,phishing", or several of them',
    schema: {
      anyOf: [
        { type: "string", pattern: WHERE },
        { type: "array", minItems: 1, items: { type: "string", pattern: WHERE } },
      ],
    },
    read(value: unknown): readonly string[] {
      if (isWhere(value)) return typeof value === "string" ? [value] : value;
      throw new Error('Expected "all", or a condition such as "verdict=malicious".');
    },
  },
} as const satisfies Record<string, Key<unknown>>;

const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

const schemasOf = (keys: Readonly<Record<string, Key<unknown>>>) =>
  Object.fromEntries(
    Object.entries(keys).map(([name, { description, schema }]) => [
      name,
      { description, ...schema },
    ]),
  );

/** A JSON Schema of the publisher's file, for editors. */
export function publisherFileSchema(): object {
  const settings = schemasOf(SETTINGS);
  const source = schemasOf(SOURCE_KEYS);
  const sources = {
    description: "the files and URLs that the list is read from",
    type: "array",
    minItems: 1,
    items: { anyOf: [source["source"], object(source, ["source"])] },
  };
  const files = (description: string) => ({
    description,
    type: "array",
    items: { type: "string", ...NOT_EMPTY },
  });
  const exceptions = files("files with exceptions for this list only");
  const neverBlock = files("files of hosts that this list never blocks as a whole");
  const lists = {
    description: "the lists, by name",
    type: "object",
    minProperties: 1,
    propertyNames: { pattern: "^[a-z0-9][a-z0-9-]{0,62}$" },
    additionalProperties: object({ sources, exceptions, "never-block": neverBlock, ...settings }, [
      "sources",
    ]),
  };
  const defaults = { description: "settings of all lists", ...object(settings) };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The lists of urlhash-server publish",
    ...object({ defaults, lists }, ["lists"]),
  };
}
