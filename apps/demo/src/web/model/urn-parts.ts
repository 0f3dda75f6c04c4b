import { parseUrn, type Urn, type UrnError, type UrnSyntax } from "@x/urn";

export type UrnRole = "scheme" | "nid" | "nss" | "r-component" | "q-component" | "f-component";

/** A part of a URN and its place in the text. */
export interface UrnPart {
  readonly role: UrnRole;
  readonly start: number;
  readonly end: number;
}

export type UrnReading =
  | { readonly urn: Urn; readonly parts: readonly UrnPart[]; readonly error: null }
  | { readonly urn: null; readonly parts: null; readonly error: UrnError };

/** The places of a URN's parts: they stand in the text one after the other, divided by `:`, `?+`, `?=`, `#`. */
function partsOf({ nid, nss, rComponent, qComponent, fComponent }: Urn): UrnPart[] {
  const parts: UrnPart[] = [];
  let at = 0;
  const push = (role: UrnRole, introducer: string, text: string | null): void => {
    if (text === null) return;
    const start = at + introducer.length;
    at = start + text.length;
    parts.push({ role, start, end: at });
  };
  push("scheme", "", "urn");
  push("nid", ":", nid);
  push("nss", ":", nss);
  push("r-component", "?+", rComponent);
  push("q-component", "?=", qComponent);
  push("f-component", "#", fComponent);
  return parts;
}

export function readUrn(text: string, syntax: UrnSyntax): UrnReading {
  try {
    const urn = parseUrn(text, { syntax });
    return { urn, parts: partsOf(urn), error: null };
  } catch (error) {
    if ((error as Error).name !== "UrnError") throw error;
    return { urn: null, parts: null, error: error as UrnError };
  }
}
