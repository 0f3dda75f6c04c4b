import { BOOLEAN, VARCHAR } from "@duckdb/node-api";
import { equivalentUrns, formatUrn, normalizeUrn, tryParseUrn } from "@x/urn";
import { onText, type SqlFunction } from "./sql-function.ts";

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
