import { typeError } from "./type-error.ts";

/**
 * Which text decides what a URN is: `"rfc2141"`, the first standard (and the text of its draft), or
 * `"rfc8141"`, which replaced it.
 */
export type UrnSyntax = "rfc2141" | "rfc8141";

/** The option that every function that reads a URN takes. */
export interface UrnSyntaxOptions {
  /** The text to follow; `"rfc2141"` by default. */
  readonly syntax?: UrnSyntax | undefined;
}

/** The syntax asked for, or a `TypeError` when it is neither of the two. */
export function chosenSyntax(options: UrnSyntaxOptions | undefined): UrnSyntax {
  // The name of a syntax in place of the options would have no effect. A number is an index that map passed.
  if (typeof options === "string") throw typeError("options", "{ syntax }", options);
  const syntax = options?.syntax;
  if (syntax === undefined || syntax === "rfc2141") return "rfc2141";
  if (syntax === "rfc8141") return syntax;
  throw typeError("syntax", '"rfc2141" or "rfc8141"', syntax);
}

/** Throws a `TypeError` unless the value is a string. */
export function assertString(value: unknown, what: string): asserts value is string {
  if (typeof value !== "string") throw typeError(what, "a string", value);
}
