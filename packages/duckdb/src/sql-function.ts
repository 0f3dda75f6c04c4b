import { DuckDBScalarFunction, type DuckDBType, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import { readColumn } from "./read-column.ts";

/** A function of SQL. Its arguments are VARCHAR. */
export interface SqlFunction {
  readonly name: string;
  /** The number of its arguments. */
  readonly arity: number;
  readonly returns: DuckDBType;
  /** The values for the rows of some columns, in order. */
  readonly evaluate: (columns: readonly (readonly (string | null)[])[]) => readonly DuckDBValue[];
  /** Why no statement may use the function; `null` if all may. */
  readonly unusable?: string | null;
}

/** The form in which DuckDB takes a function. */
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

/** A function with one argument, whose value for NULL is NULL. */
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
