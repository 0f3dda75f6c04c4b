import { type UrnSchemaOptions, urn } from "./standard-schema.ts";

/** A string format for ajv's `addFormat`. */
export interface UrnFormat {
  readonly type: "string";
  readonly validate: (text: string) => boolean;
}

/**
 * Returns a string format for ajv, so that a JSON Schema can say `"format": "urn"`.
 *
 * @throws {TypeError} when an option has the wrong type, or when an element of `nids` is not a NID.
 * @example
 * ```ts
 * import { urnFormat } from "@x/urn/schema";
 *
 * urnFormat().validate("urn:example:a"); // → true
 * urnFormat().validate("https://example.com/?urn:example:a"); // → false
 * ```
 */
export function urnFormat(options?: UrnSchemaOptions): UrnFormat {
  const { validate } = urn(options)["~standard"];
  return { type: "string", validate: (text) => validate(text).issues === undefined };
}

/** An error of the keyword. ajv reads it from the function that checked the text. */
interface KeywordError {
  keyword: string;
  message: string;
  params: { code: string; index: number | null; section: string | null };
}

/** The function that ajv calls with a string. ajv reads the errors from it right after a call that returns `false`. */
interface KeywordCheck {
  (text: string): boolean;
  errors?: KeywordError[];
}

/** A keyword for ajv's `addKeyword`. */
export interface UrnKeyword {
  keyword: "urn";
  type: "string";
  schemaType: ("boolean" | "object")[];
  metaSchema: object;
  compile: (schema: true | UrnSchemaOptions) => KeywordCheck;
}

/**
 * Returns the keyword `urn` for ajv. The value of the keyword in a JSON Schema is `true` or the options of `urn`, where
 * `checks` is `true` or `false`. The errors of the keyword have the `code`, `index` and `section` of a {@link UrnIssue}
 * as `params`.
 *
 * @example
 * ```ts
 * import { urnKeyword } from "@x/urn/schema";
 *
 * const check = urnKeyword().compile({ syntax: "rfc8141", nids: ["nbn"] });
 * check("urn:isbn:0395363411"); // → false
 * check.errors?.[0]?.params; // → { code: "nid-not-allowed", index: 4, section: null }
 * ```
 */
export function urnKeyword(): UrnKeyword {
  return {
    keyword: "urn",
    type: "string",
    schemaType: ["boolean", "object"],
    metaSchema: {
      anyOf: [
        { const: true },
        {
          type: "object",
          properties: {
            syntax: { enum: ["rfc2141", "rfc8141"] },
            nids: { type: "array", items: { type: "string" }, minItems: 1 },
            checks: { type: "boolean" },
          },
          additionalProperties: false,
        },
      ],
    },
    compile(schema) {
      const { validate } = urn(schema === true ? {} : schema)["~standard"];
      const check: KeywordCheck = (text) => {
        const { issues } = validate(text);
        if (issues === undefined) return true;
        check.errors = issues.map(({ message, code, index, section }) => ({
          keyword: "urn",
          message,
          params: { code, index, section },
        }));
        return false;
      };
      return check;
    },
  };
}
