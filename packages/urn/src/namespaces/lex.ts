import { type Namespace, namespace } from "./namespace.ts";

/** The parts of a source of law's name. */
export type LexParts = {
  /** The jurisdiction, with its units after semicolons, such as `"br;sao.paulo"`. */
  readonly jurisdiction: string;
  /** The authority that issued the measure, such as `"stato"`. */
  readonly authority: string;
  /** The type of the measure, such as `"legge"`. */
  readonly measure: string;
  /** The date and the number, such as `"2003-09-21;456"`. */
  readonly details: string;
  readonly annexes: readonly string[];
  /** The version and the language, after `@`, such as `"originel:fr"`. */
  readonly expression: string | null;
  /** The editor and the format, after `$`. */
  readonly manifestation: string | null;
  /**
   * The article or paragraph that a reference points to, after `~`, such as `"art15;par3"`. Only RFC 8141 allows `~`.
   */
  readonly partition: string | null;
};

/**
 * Sources of law, such as laws, court decisions and administrative acts. The names are compared by the rules for all
 * URNs.
 *
 * Only the fields and their delimiters are checked, not the contents of a field. Equivalences that RFC 9676 may define
 * are not applied.
 *
 * @example
 * ```ts
 * import { lex } from "@x/urn/namespaces";
 *
 * lex.tryParse("it:stato:legge:2003-09-21;456")?.details; // → "2003-09-21;456"
 * lex.tryParse("ch:etat:loi:2006-05-14;22@originel:fr")?.expression; // → "originel:fr"
 * ```
 * @see RFC 9676 §2.1, §3.2, §5.3 and §8
 */
export const lex: Namespace<LexParts> = /* @__PURE__ */ namespace({
  nid: "lex",
  documents: ["RFC 9676"],
  form: {
    code: "lex-form",
    expected:
      "a jurisdiction, an authority, a measure and details with colons between them, then optionally annexes, @ and an expression, and $ and a manifestation",
    section: "RFC 9676 §8",
  },
  parse: (nss) => {
    const [document, partition] = splitAt(nss, "~");
    const [localName, manifestation] = splitAt(document, "$");
    const [work, expression] = splitAt(localName, "@");
    const fields = work.split(":");
    const isLex =
      fields.length >= 4 && ![...fields, partition, manifestation, expression].includes("");
    if (!isLex) return null;
    const [jurisdiction = "", authority = "", measure = "", details = "", ...annexes] = fields;
    return {
      jurisdiction,
      authority,
      measure,
      details,
      annexes,
      expression,
      manifestation,
      partition,
    };
  },
  write: ({ jurisdiction, authority, measure, details, annexes, ...rest }) =>
    [jurisdiction, authority, measure, details, ...annexes].join(":") +
    (rest.expression === null ? "" : `@${rest.expression}`) +
    (rest.manifestation === null ? "" : `$${rest.manifestation}`) +
    (rest.partition === null ? "" : `~${rest.partition}`),
});

/** The text before the first delimiter, and the text after it, or `null` without the delimiter. */
function splitAt(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
