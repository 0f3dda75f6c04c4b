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
import { foreignCode } from "./foreign-code.ts";
import type { SqlFunction } from "./sql-function.ts";

const MATCHES = LIST(
  STRUCT({ list: VARCHAR, expression: VARCHAR, reading: VARCHAR, confirmed: BOOLEAN }),
);

function matchValue({ list, expression, reading, confirmed }: Match): DuckDBValue {
  return structValue({ list: list.name, expression, reading, confirmed });
}

/**
 * Matches most canonical URLs, as a shortcut. A URL with a dot in its host and without marks such as `#`, brackets and
 * commas never looks like another format.
 */
const PLAIN = /^https?:\/\/[a-z0-9-]+\.[a-z0-9.-]+\/[\w.~/?=&%+:@-]*$/;

/** The code of the reason why a text has no verdict; `null` if it has one. */
function problemOf(text: string, { matches, error, readings }: UrlVerdict): string | null {
  if (matches.length > 0 || (readings === null && PLAIN.test(text))) return null;
  return foreignCode(text) ?? error?.code ?? null;
}

/** The SQL functions that check URLs against lists. */
export function verdictFunctions(checker: Pick<Checker, "checkMany"> | undefined): SqlFunction[] {
  const onVerdict = (
    name: string,
    returns: DuckDBType,
    toValue: (matches: readonly Match[], problem: string | null) => DuckDBValue,
  ): SqlFunction => ({
    name,
    arity: 1,
    returns,
    evaluate([texts]) {
      const values: DuckDBValue[] = texts!.map(() => null);
      let row = 0;
      // There is one verdict for each row that is not NULL, in order.
      for (const verdict of checker!.checkMany(texts!.filter((text) => text !== null))) {
        while (texts![row] === null) row++;
        values[row] = toValue(verdict.matches, problemOf(texts![row]!, verdict));
        row++;
      }
      return values;
    },
    unusable: checker === undefined ? "needs a list" : null,
  });
  return [
    onVerdict("url_listed", BOOLEAN, (matches, problem) =>
      problem === null ? matches.length > 0 : null,
    ),
    onVerdict("url_matches", MATCHES, (matches, problem) =>
      problem === null ? listValue(matches.map(matchValue)) : null,
    ),
    onVerdict("url_error", VARCHAR, (_, problem) => problem),
  ];
}
