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

/** The names of all options of the package. */
const OPTION_NAMES: ReadonlySet<string> = new Set([
  "by",
  "checks",
  "maxRunLength",
  "namespaces",
  "nids",
  "special",
  "syntax",
  "trimDelimiters",
  "trimPunctuation",
]);

/** Returns the requested syntax. Throws a `TypeError` for any other value, and for options that do not exist. */
export function chosenSyntax(options: UrnSyntaxOptions | undefined): UrnSyntax {
  if (options === undefined) return "rfc2141";
  // A string instead of the options would have no effect. A number is allowed, because `map` passes an index.
  if (typeof options === "string") throw typeError("options", "{ syntax }", options);
  for (const name of Object.keys(options ?? {})) {
    if (!OPTION_NAMES.has(name)) {
      throw new TypeError(`there is no option ${JSON.stringify(name.slice(0, 40))}`);
    }
  }
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

/** Tables whose keys were checked, so that this is done once for a table that many calls use. */
const checkedTables = new WeakSet<object>();
const LOWER_CASE_NID = /^[0-9a-z][0-9a-z-]{0,31}$/;

/**
 * Throws a `TypeError` unless the value is a record by NID in lower case. Any other key would never be used, nor would
 * the entries of a `Map`, or the inherited properties of an object.
 */
export function assertTable(table: unknown, option: string, entry: "function" | "object"): void {
  if (typeof table !== "object" || table === null) throw typeError(option, "an object", table);
  if (checkedTables.has(table)) return;
  const prototype: unknown = Object.getPrototypeOf(table);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError(
      `${option} must be a plain object, whose own keys are namespace identifiers`,
    );
  }
  for (const [nid, value] of Object.entries(table)) {
    const shown = `${option}[${JSON.stringify(nid.slice(0, 40))}]`;
    if (!LOWER_CASE_NID.test(nid)) {
      throw new TypeError(`the key of ${shown} must be a namespace identifier in lower case`);
    }
    if (typeof value !== entry || value === null)
      throw typeError(shown, `${entry === "object" ? "an" : "a"} ${entry}`, value);
  }
  checkedTables.add(table);
}

/** Returns an option that is `false` by default. Throws a `TypeError` when it is not a boolean. */
export function booleanOption<Options extends object>(
  options: Options | undefined,
  name: keyof Options & string,
): boolean {
  const value: unknown = ownOption(options, name) ?? false;
  if (typeof value !== "boolean") throw typeError(name, "a boolean", value);
  return value;
}

/** A `TypeError` that says what an argument was expected to be, and what it is. */
export function typeError(argument: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${argument} must be ${expected}, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
