import { type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from "@duckdb/node-api";
import type { CanonicalUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { exactExpression, expressions, type RegistrableDomain } from "@x/expressions";
import { fullHash, toHex } from "@x/sha256-prefix";
import { foreignCode } from "./foreign-code.ts";
import { onText, type SqlFunction } from "./sql-function.ts";

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
