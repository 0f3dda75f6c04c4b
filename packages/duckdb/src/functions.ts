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
import type { CanonicalUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { exactExpression, expressions, type RegistrableDomain } from "@x/expressions";
import { foreignLine } from "@x/list-source";
import type { Checker, Match, UrlVerdict } from "@x/lookup";
import { fullHash, toHex } from "@x/sha256-prefix";
import { equivalentUrns, formatUrn, normalizeUrn, tryParseUrn } from "@x/urn";

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

/**
 * Defines a function whose argument is read as a URL, as the specification says. The function returns NULL if the text
 * is not a URL, if its host is undecided, or if the text looks like something else.
 */
function onUrl(
  name: string,
  returns: DuckDBType,
  evaluate: (url: CanonicalUrl) => DuckDBValue,
): SqlFunction {
  return onText(name, returns, (text) => {
    const { specification, problem } = readUrl(text, "specification");
    if (specification === null || problem !== null || foreignCode(text) !== null) return null;
    return evaluate(specification);
  });
}

/** The SQL functions that read URLs and need no list. */
export function urlFunctions(registrableDomain: RegistrableDomain | undefined): SqlFunction[] {
  const domainOf = ({ host, hostType }: CanonicalUrl): string | null =>
    hostType === "domain" ? (registrableDomain?.(host) ?? null) : null;
  return [
    onUrl("url_canonical", VARCHAR, ({ href }) => href),
    onUrl("url_expressions", LIST(VARCHAR), (url) => listValue(expressions(url))),
    onUrl("url_host", VARCHAR, ({ host }) => host),
    onUrl("url_hash", VARCHAR, (url) => toHex(fullHash(exactExpression(url)))),
    {
      ...onUrl("url_registrable_domain", VARCHAR, domainOf),
      unusable: registrableDomain === undefined ? "needs the option registrableDomain" : null,
    },
  ];
}

/** The functions for URNs, under RFC 2141. */
export const URN_FUNCTIONS: readonly SqlFunction[] = [
  onText("urn_normalized", VARCHAR, (text) => {
    const urn = tryParseUrn(text);
    return urn === null ? null : formatUrn(normalizeUrn(urn));
  }),
  {
    name: "urn_equal",
    arity: 2,
    returns: BOOLEAN,
    evaluate: ([ones, others]) => ones!.map((one, row) => areEqual(one, others![row]!)),
  },
];

function areEqual(one: string | null, other: string | null): boolean | null {
  if (one === null || other === null) return null;
  const urn = tryParseUrn(one);
  const otherUrn = tryParseUrn(other);
  return urn === null || otherUrn === null ? null : equivalentUrns(urn, otherUrn);
}

const encoder = new TextEncoder();

/**
 * The code for a text that looks like something other than a URL, such as a row of a table; `null` for other texts.
 * Without this check, canonicalization would turn nearly any text into a URL.
 */
function foreignCode(text: string): string | null {
  return foreignLine(encoder.encode(text.replaceAll("\n", " ")))?.code ?? null;
}

/** Defines a function with one argument that returns NULL for NULL. */
function onText(
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
