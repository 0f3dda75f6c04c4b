import { DuckDBScalarFunction, type DuckDBType, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import { readColumn } from "./read-column.ts";

/** An SQL function whose arguments are VARCHAR. */
export interface SqlFunction {
  readonly name: string;
  /** The number of arguments. */
  readonly arity: number;
  readonly returns: DuckDBType;
  /** Returns one value for each row, in order. `columns` has one column for each argument. */
  readonly evaluate: (columns: readonly (readonly (string | null)[])[]) => readonly DuckDBValue[];
  /** The reason why statements cannot use the function; `null` if they can. */
  readonly unusable?: string | null;
}

/** Converts a definition to a function of DuckDB. */
export function toScalarFunction(definition: SqlFunction): DuckDBScalarFunction {
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
      const values = evaluate(argumentIndices.map((i) => readColumn(input, i)));
      for (let row = 0; row < values.length; row++) output.setItem(row, values[row]!);
      output.flush();
    },
  });
}

/** Defines a function with one argument that returns NULL for NULL. */
export function onText(
  name: string,
  returns: DuckDBType,
  evaluate: (text: string) => DuckDBValue,
): SqlFunction {
  return {
    name,
    arity: 1,
    returns,
    evaluate: ([texts]) => texts!.map((text) => (text === null ? null : evaluate(text))),
  };
}
