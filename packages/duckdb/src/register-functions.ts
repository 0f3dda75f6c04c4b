import { type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import { ownOptions } from "@x/canon/own-options";
import type { RegistrableDomain } from "@x/expressions";
import type { Checker } from "@x/lookup";
import { typeError } from "@x/sha256-prefix/type-error";
import { type SqlFunction, URN_FUNCTIONS, urlFunctions, verdictFunctions } from "./functions.ts";

/** The options of {@link registerFunctions}. */
export interface FunctionsOptions {
  /** A checker from `@x/lookup`, for `url_listed`, `url_matches` and `url_error`. */
  readonly checker?: Pick<Checker, "checkMany"> | undefined;
  /**
   * Returns the registrable domain (eTLD+1) of a host, or `null`, for `url_registrable_domain`. The other functions do
   * not use this option.
   */
  readonly registrableDomain?: RegistrableDomain | undefined;
}

/**
 * Registers functions that read and check URLs and URNs, for all connections to the same database.
 *
 * Each function returns NULL for NULL. The functions for URNs also return NULL for text that is not a URN. For text
 * that is not a URL or has no verdict, `url_error` returns the code of the reason, and the other functions for URLs
 * return NULL. If such text is listed anyway, `url_listed` is true, and `url_error` is NULL.
 *
 * @throws TypeError when an option has the wrong type.
 * @throws Error when the functions are already registered.
 * @example
 * ```ts
 * import { DuckDBInstance } from "@duckdb/node-api";
 * import { registerFunctions } from "@x/duckdb";
 *
 * const connection = await (await DuckDBInstance.create()).connect();
 * registerFunctions(connection);
 * const result = await connection.runAndReadAll("SELECT url_canonical('EXAMPLE.com') AS url");
 * result.getRowObjects(); // → [{ url: "http://example.com/" }]
 * ```
 */
export function registerFunctions(
  connection: DuckDBConnection,
  options: FunctionsOptions = {},
): void {
  const { checker, registrableDomain } = ownOptions(options);
  if (checker !== undefined && typeof checker?.checkMany !== "function") {
    throw typeError("checker", "a checker of @x/lookup", checker);
  }
  if (registrableDomain !== undefined && typeof registrableDomain !== "function") {
    throw typeError("registrableDomain", "a function", registrableDomain);
  }
  const definitions = [
    ...verdictFunctions(checker),
    ...urlFunctions(registrableDomain),
    ...URN_FUNCTIONS,
  ];
  for (const definition of definitions) {
    connection.registerScalarFunction(toScalarFunction(definition));
  }
}

/** Converts a definition to a function of DuckDB. */
function toScalarFunction(definition: SqlFunction): DuckDBScalarFunction {
  const { name, arity, returns, evaluate, unusable = null } = definition;
  const argumentIndices = Array.from({ length: arity }, (_, i) => i);
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: argumentIndices.map(() => VARCHAR),
    returnType: returns,
    bindFunction(info) {
      if (unusable !== null) info.setError(`${name} ${unusable}`);
    },
    mainFunction(_, input, output) {
      const values = evaluate(
        argumentIndices.map((i) => input.getColumnValues(i) as (string | null)[]),
      );
      for (let row = 0; row < values.length; row++) output.setItem(row, values[row]!);
      output.flush();
    },
  });
}
