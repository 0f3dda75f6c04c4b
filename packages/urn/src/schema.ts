import { lowerCase } from "./format.ts";
import { checkNamespace } from "./namespaces/check-namespace.ts";
import { type NamespaceChecks, namespaceChecks } from "./namespaces/checks.ts";
import {
  assertTable,
  chosenSyntax,
  ownOption,
  typeError,
  type UrnSyntax,
  type UrnSyntaxOptions,
} from "./options.ts";
import { isUrn, tryParseUrn, type Urn, urnProblem } from "./parse.ts";

/** The options of `urn`. */
export interface UrnSchemaOptions extends UrnSyntaxOptions {
  /** The allowed namespaces, by NID in upper or lower case. By default, all are allowed. */
  readonly nids?: readonly string[] | undefined;
  /**
   * Whether a URN must also follow the rules of its namespace, such as check digits. `true` stands for the checks of
   * `namespaceChecks` of `@x/urn/namespaces`, and a table contains the checks to use instead. The default is `false`.
   */
  readonly checks?: boolean | NamespaceChecks | undefined;
}

/** Why a value is refused. An issue has the `message` that Standard Schema requires, and properties for programs. */
export interface UrnIssue {
  /** The problem in one sentence. */
  readonly message: string;
  /** A code of `UrnError` or of `checkNamespace`, or `"nid-not-allowed"` or `"not-a-string"`. */
  readonly code: string;
  /**
   * The index of the problem in the text, in UTF-16 code units. If a rule of the namespace is broken, the index is the
   * start of the NSS. `null` when the value is not a string.
   */
  readonly index: number | null;
  /** The section that states the broken rule, or `null` when the rule is not from a specification. */
  readonly section: string | null;
  /** As in the problems of `checkNamespace`: the text can be read with `{ syntax: "rfc8141" }`. */
  readonly allowedBy?: "rfc8141";
}

/** The result of a schema, which is the text itself or the issues. */
export type UrnSchemaResult =
  | { readonly value: string; readonly issues?: undefined }
  | { readonly issues: readonly UrnIssue[] };

/** A Standard Schema, version 1, for strings. */
export interface UrnSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Only for the type checker. The member does not exist. */
    readonly types?: { readonly input: string; readonly output: string } | undefined;
    readonly validate: (value: unknown) => UrnSchemaResult;
  };
}

/** The index at which the NID starts, after `urn:`. */
const NID_START = 4;

/**
 * Returns a schema for URNs for any program that accepts a Standard Schema. The text is not changed.
 *
 * @throws {TypeError} when an option has the wrong type, or when an element of `nids` is not a NID.
 * @example
 * ```ts
 * import { urn } from "@x/urn/schema";
 *
 * const { validate } = urn({ nids: ["isbn"], checks: true })["~standard"];
 * validate("urn:isbn:0-395-36341-1"); // → { value: "urn:isbn:0-395-36341-1" }
 * validate("urn:isbn:0-395-36341-2").issues?.[0]?.code; // → "isbn-check-digit"
 * validate("urn:ietf:rfc:2141").issues?.[0]?.code; // → "nid-not-allowed"
 * ```
 * @see https://standardschema.dev
 */
export function urn(options?: UrnSchemaOptions): UrnSchema {
  const syntax = chosenSyntax(options);
  const allowed = allowedNids(ownOption(options, "nids"), syntax);
  const checks = chosenChecks(ownOption(options, "checks"));

  function issuesOf(value: unknown): readonly UrnIssue[] {
    if (typeof value !== "string") {
      const { message } = typeError("a URN", "a string", value);
      return [{ message, code: "not-a-string", index: null, section: null }];
    }
    const parsed = tryParseUrn(value, { syntax });
    if (parsed === null) {
      const { message, code, index, section } = urnProblem(value, { syntax })!;
      return [{ message, code, index, section }];
    }
    if (allowed !== null && !allowed.has(lowerCase(parsed.nid))) {
      return [notAllowed(parsed, allowed)];
    }
    if (checks === null) return [];
    const index = NID_START + parsed.nid.length + ":".length;
    return checkNamespace(parsed, { checks }).map(({ message, code, section, allowedBy }) => {
      const issue = { message, code, index, section };
      return allowedBy === undefined ? issue : { ...issue, allowedBy };
    });
  }

  return {
    "~standard": {
      version: 1,
      vendor: "@x/urn",
      validate(value) {
        const issues = issuesOf(value);
        return issues.length > 0 ? { issues } : { value: value as string };
      },
    },
  };
}

function notAllowed({ nid }: Urn, allowed: ReadonlySet<string>): UrnIssue {
  const names = [...allowed].map((name) => `"${name}"`).join(" or ");
  return {
    message: `Expected the namespace identifier ${names}, not "${nid}".`,
    code: "nid-not-allowed",
    index: NID_START,
    section: null,
  };
}

function allowedNids(nids: unknown, syntax: UrnSyntax): ReadonlySet<string> | null {
  if (nids === undefined) return null;
  if (!Array.isArray(nids)) throw typeError("nids", "an array of namespace identifiers", nids);
  if (nids.length === 0) throw new TypeError("nids must have at least one namespace identifier");
  return new Set(
    nids.map((nid: unknown) => {
      const isNid =
        typeof nid === "string" && !nid.includes(":") && isUrn(`urn:${nid}:x`, { syntax });
      if (!isNid) throw typeError("each element of nids", 'a namespace identifier: "isbn"', nid);
      return lowerCase(nid);
    }),
  );
}

function chosenChecks(checks: unknown): NamespaceChecks | null {
  if (checks === undefined || checks === false) return null;
  if (checks === true) return namespaceChecks;
  if (typeof checks !== "object" || checks === null) {
    throw typeError("checks", "true, false or a table of checks", checks);
  }
  assertTable(checks, "checks", "function");
  return checks as NamespaceChecks;
}
