import { equivalentUrns, normalizeUrn, type Urn, type UrnSyntax } from "@x/urn";
import { namespaceRules } from "@x/urn/namespaces";
import { readUrn } from "./urn-parts.ts";

/** Whether two URNs are the same name, and what decides it. */
export interface Equivalence {
  readonly verdict: "equivalent" | "different" | "unknown";
  /** The rule, as a sentence. */
  readonly rule: string;
  /** What is compared in the end, when both are URNs. */
  readonly compared: readonly [string, string] | null;
}

const SECTION = { rfc2141: "RFC 2141 §5", rfc8141: "RFC 8141 §3" } as const;

function assignedName({ nid, nss }: Urn): string {
  return `urn:${nid}:${nss}`;
}

/** What the lexical rules had to look past for two texts to be the same. */
function lookedPast(a: string, b: string, urnA: Urn, urnB: Urn): string[] {
  const past: string[] = [];
  if (a.slice(0, 3) !== b.slice(0, 3)) past.push("the case of “urn”");
  if (urnA.nid !== urnB.nid) past.push("the case of the NID");
  if (urnA.nss !== urnB.nss) past.push("the case of hexadecimal digits in escapes");
  const components = ["rComponent", "qComponent", "fComponent"] as const;
  if (components.some((key) => urnA[key] !== urnB[key])) past.push("r-, q- and f-components");
  return past;
}

const enumerate = new Intl.ListFormat("en", { type: "conjunction" });

export function compareUrns(a: string, b: string, syntax: UrnSyntax): Equivalence {
  const [{ urn: urnA }, { urn: urnB }] = [readUrn(a, syntax), readUrn(b, syntax)];
  if (urnA === null || urnB === null) {
    const which =
      urnA === null ? (urnB === null ? "Neither" : "The first is not") : "The second is not";
    const rule = `${which}${which === "Neither" ? " is" : ""} a URN under this text, so there is nothing to compare.`;
    return { verdict: "unknown", rule, compared: null };
  }
  const [normalA, normalB] = [normalizeUrn(urnA), normalizeUrn(urnB)];
  const compared = [assignedName(normalA), assignedName(normalB)] as const;
  if (equivalentUrns(a, b, { syntax })) {
    const past = lookedPast(a, b, urnA, urnB);
    const rule =
      past.length === 0
        ? "They are the same text."
        : `Lexical equivalence looks past ${enumerate.format(past)} (${SECTION[syntax]}).`;
    return { verdict: "equivalent", rule, compared };
  }
  if (normalA.nid !== normalB.nid) {
    const rule = `The NIDs differ, and names of different namespaces are never the same (${SECTION[syntax]}).`;
    return { verdict: "different", rule, compared };
  }
  const { nid } = normalA;
  const namespaceRule = Object.hasOwn(namespaceRules, nid) ? namespaceRules[nid] : undefined;
  if (namespaceRule === undefined) {
    const rule = `The NSSs differ, and no rule of the namespace “${nid}” is known that would look past it (${SECTION[syntax]}).`;
    return { verdict: "different", rule, compared };
  }
  const byRule = [
    `urn:${nid}:${namespaceRule(normalA.nss)}`,
    `urn:${nid}:${namespaceRule(normalB.nss)}`,
  ] as const;
  return equivalentUrns(a, b, { syntax, namespaces: namespaceRules })
    ? {
        verdict: "equivalent",
        rule: `The rule of the namespace “${nid}” makes them equal; lexical equivalence alone would not.`,
        compared: byRule,
      }
    : {
        verdict: "different",
        rule: `The NSSs differ, also under the rule of the namespace “${nid}”.`,
        compared: byRule,
      };
}
