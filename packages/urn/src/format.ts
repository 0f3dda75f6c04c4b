import { UrnError } from "./error.ts";
import { readUrn } from "./grammar.ts";
import { toUrn } from "./parse.ts";
import { readingError } from "./problem.ts";
import { chosenSyntax, type UrnSyntax, type UrnSyntaxOptions } from "./syntax.ts";
import { typeError } from "./type-error.ts";
import type { Urn } from "./urn.ts";

/**
 * The text of a URN: the inverse of `parseUrn`, which gives back the very text that was parsed.
 *
 * The record is checked, since it may have been made by hand: its text must be a URN that is parsed into
 * the same parts, under the syntax asked for or, without one, under either.
 *
 * @throws {UrnError} with the codes of `parseUrn`, whose `input` is the text that would have come out; and
 * `record-ambiguous` when that text is a URN with other parts (a `:` in the NID).
 * @throws {TypeError} when a part is neither a string nor, for a component, `null`.
 * @example
 * ```ts
 * import { formatUrn, parseUrn } from "@x/urn";
 *
 * formatUrn(parseUrn("URN:ISBN:0-395-36341-1")); // → "URN:ISBN:0-395-36341-1"
 * formatUrn({ nid: "a", nss: "b c", rComponent: null, qComponent: null, fComponent: null }); // throws nss-character
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function formatUrn(urn: Urn, options?: UrnSyntaxOptions): string {
  assertUrn(urn);
  const text = writeUrn(urn);
  if (options?.syntax !== undefined) {
    const problem = readBackProblem(urn, text, chosenSyntax(options));
    if (problem !== null) throw problem;
    return text;
  }
  const hasComponents =
    urn.rComponent !== null || urn.qComponent !== null || urn.fComponent !== null;
  const problem = readBackProblem(urn, text, hasComponents ? "rfc8141" : "rfc2141");
  if (problem === null) return text;
  if (hasComponents || readBackProblem(urn, text, "rfc8141") !== null) throw problem;
  return text;
}

/** How `urn` was written. It is looked for in the record alone: most have none, and inherit what others added. */
function schemeOf(urn: Urn): string | undefined {
  return Object.hasOwn(urn, "scheme") ? urn.scheme : undefined;
}

/** The parts joined, unchecked. */
export function writeUrn(urn: Urn): string {
  let text = `${schemeOf(urn) ?? "urn"}:${urn.nid}:${urn.nss}`;
  if (urn.rComponent !== null) text += `?+${urn.rComponent}`;
  if (urn.qComponent !== null) text += `?=${urn.qComponent}`;
  if (urn.fComponent !== null) text += `#${urn.fComponent}`;
  return text;
}

/** Throws a `TypeError` unless the value has the shape of a URN's record. */
export function assertUrn(urn: Urn): void {
  if (typeof urn !== "object" || urn === null)
    throw typeError("urn", "the record of a URN's parts", urn);
  const isComponent = (part: unknown) => part === null || typeof part === "string";
  if (
    typeof urn.nid !== "string" ||
    typeof urn.nss !== "string" ||
    !isComponent(urn.rComponent) ||
    !isComponent(urn.qComponent) ||
    !isComponent(urn.fComponent) ||
    !["undefined", "string"].includes(typeof schemeOf(urn))
  ) {
    throw new TypeError("urn must have nid and nss, strings, and components, strings or null");
  }
}

function readBackProblem(urn: Urn, text: string, syntax: UrnSyntax): UrnError | null {
  const reading = readUrn(text, 0, syntax);
  if (reading.end !== text.length) {
    return readingError(text, reading, syntax);
  }
  const again = toUrn(text, reading, 0, text.length);
  const isSame =
    again.nid === urn.nid &&
    again.nss === urn.nss &&
    again.rComponent === urn.rComponent &&
    again.qComponent === urn.qComponent &&
    again.fComponent === urn.fComponent;
  return isSame ? null : new UrnError("record-ambiguous", text, reading.nidEnd, syntax);
}
