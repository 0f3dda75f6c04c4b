import { typeError } from "./type-error.ts";

/**
 * The specification that defines the syntax of URNs, which is `"rfc2141"`, the first standard, or `"rfc8141"`, which
 * replaced it.
 */
export type UrnSyntax = "rfc2141" | "rfc8141";

/** The option of every function that reads a URN. */
export interface UrnSyntaxOptions {
  /** The specification to follow. The default is `"rfc2141"`. */
  readonly syntax?: UrnSyntax | undefined;
}

/** Returns the requested syntax. Throws a `TypeError` for any other value. */
export function chosenSyntax(options: UrnSyntaxOptions | undefined): UrnSyntax {
  if (options === undefined) return "rfc2141";
  // A string instead of the options would have no effect. A number is allowed, because `map` passes an index.
  if (typeof options === "string") throw typeError("options", "{ syntax }", options);
  const syntax = ownOption(options, "syntax");
  if (syntax === undefined || syntax === "rfc2141") return "rfc2141";
  if (syntax === "rfc8141") return syntax;
  throw typeError("syntax", '"rfc2141" or "rfc8141"', syntax);
}

/** Returns an option. Only own properties count, not those that other code has added to `Object.prototype`. */
export function ownOption<Options extends object, Name extends keyof Options>(
  options: Options | undefined,
  name: Name,
): Options[Name] | undefined {
  return options != null && Object.hasOwn(options, name) ? options[name] : undefined;
}

/** Throws a `TypeError` unless the value is a string. */
export function assertString(value: unknown, what: string): asserts value is string {
  if (typeof value !== "string") throw typeError(what, "a string", value);
}
