import {
  BOOLEAN,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  STRUCT,
  structValue,
  VARCHAR,
} from "@duckdb/node-api";
import type { Checker, Match, UrlVerdict } from "@x/lookup";
import type { SqlFunction } from "./sql-function.ts";

const MATCHES = LIST(
  STRUCT({ list: VARCHAR, expression: VARCHAR, reading: VARCHAR, confirmed: BOOLEAN }),
);

function matchValue({ list, expression, reading, confirmed }: Match): DuckDBValue {
  return structValue({ list: list.name, expression, reading, confirmed });
}

/** The functions that check URLs. */
export function verdictFunctions(checker: Pick<Checker, "checkMany"> | undefined): SqlFunction[] {
  const onVerdict = (
    name: string,
    returns: DuckDBType,
    toValue: (verdict: UrlVerdict) => DuckDBValue,
  ): SqlFunction => ({
    name,
    arity: 1,
    returns,
    *evaluate([texts]) {
      // A verdict for each row that is not NULL, in order.
      const verdicts = checker!.checkMany(texts!.filter((text) => text !== null));
      for (const text of texts!) {
        yield text === null ? null : toValue(verdicts.next().value as UrlVerdict);
      }
    },
    unusable: checker === undefined ? "needs a list" : null,
  });
  return [
    onVerdict("url_listed", BOOLEAN, ({ matches, error }) =>
      error === null ? matches.length > 0 : null,
    ),
    onVerdict("url_matches", MATCHES, ({ matches, error }) =>
      error === null ? listValue(matches.map(matchValue)) : null,
    ),
    onVerdict("url_error", VARCHAR, ({ error }) => error?.code ?? null),
  ];
}
