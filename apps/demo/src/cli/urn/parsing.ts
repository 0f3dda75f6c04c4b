import {
  formatUrn,
  normalizeUrn,
  parseUrn,
  type Urn,
  type UrnSyntax,
  usesReservedCharacters,
} from "@x/urn";
import { checkNamespace, type NamespaceProblem } from "@x/urn/namespaces";
import { printableInShort } from "../../text/printable.ts";
import type { Context } from "../context.ts";
import type { Finding } from "../evaluate.ts";
import { fill, fold, hang } from "../layout.ts";
import { type PartName, partsOf } from "./parts.ts";

const LABELS: Readonly<Record<PartName, string>> = {
  nid: "NID",
  nss: "NSS",
  rComponent: "r-component",
  qComponent: "q-component",
  fComponent: "f-component",
};
const LABEL_COLUMNS = 13;

/** What may surprise who holds this URN to be good. */
function remarks(
  urn: Urn,
  syntax: UrnSyntax,
  problems: readonly NamespaceProblem[],
): readonly string[] {
  const lines = problems.map(
    ({ message, section }) => `namespace "${urn.nid}": ${message} (${section})`,
  );
  if (syntax === "rfc2141" && usesReservedCharacters(urn)) {
    lines.push('"/", "?" and "#" are reserved and should not be used yet (RFC 2141 §2.3.2)');
  }
  return lines;
}

function toText(
  text: string,
  urn: Urn,
  normalized: string,
  notes: readonly string[],
  { colours, columns }: Pick<Context, "colours" | "columns">,
): string {
  const parts = Object.entries(partsOf(urn)) as [PartName, readonly [number, number] | null][];
  const placeColumns = `${text.length}..${text.length}`.length;
  const indent = 2 + LABEL_COLUMNS + placeColumns + 2;
  const width = columns === null ? null : columns - indent;
  const row = (
    label: string,
    place: string,
    lines: readonly string[],
    style: (line: string) => string,
  ): string[] =>
    hang(
      `  ${label.padEnd(LABEL_COLUMNS)}${colours.dim(place.padEnd(placeColumns))}  `,
      indent,
      lines,
      style,
    );
  const plain = (line: string): string => line;
  return [
    ...fold(printableInShort(text), columns).map((line) => colours.bold(line)),
    ...parts.flatMap(([name, span]) => {
      if (span === null) return [];
      const shown = printableInShort(text.slice(...span)) || '""';
      return row(LABELS[name], span.join(".."), fold(shown, width), colours.cyan);
    }),
    ...row("normal form", "", fold(printableInShort(normalized), width), colours.green),
    ...notes.flatMap((note) => {
      const lines = width === null ? [note] : fill(note.split(" "), width);
      return row("note", "", lines, plain);
    }),
  ].join("\n");
}

/** Takes a URN apart. @throws UrnError */
export function parsing(
  syntax: UrnSyntax,
  style: Pick<Context, "colours" | "columns">,
): (text: string) => Finding {
  return (text) => {
    const urn = parseUrn(text, { syntax });
    const normalized = formatUrn(normalizeUrn(urn), { syntax });
    const problems = checkNamespace(urn);
    return {
      isListed: false,
      toRecord: () => ({
        ...urn,
        offsets: partsOf(urn),
        normalized,
        usesReservedCharacters: usesReservedCharacters(urn),
        namespaceProblems: problems,
      }),
      toText: () => toText(text, urn, normalized, remarks(urn, syntax, problems), style),
    };
  };
}
