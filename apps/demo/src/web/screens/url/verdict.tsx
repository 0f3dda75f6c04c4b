import type { VNode } from "preact";
import { printable } from "../../../text/printable.ts";
import type { UrlReading } from "../../model/analyze-url.ts";

interface VerdictProps {
  readonly reading: UrlReading;
  readonly isEmpty: boolean;
  readonly hasLists: boolean;
}

const names = (lists: Iterable<string>): string =>
  new Intl.ListFormat("en").format([...new Set(lists)].map((name) => printable(name).slice(0, 60)));

/** The answer in one line, which is read out when it changes. */
export function Verdict({ reading: { analysis }, isEmpty, hasLists }: VerdictProps): VNode {
  let kind: "listed" | "clear" | "error" | "none" = "none";
  let title = "No URL yet";
  let detail = "Type or paste one above, or choose an example.";
  if (isEmpty) {
    // As it is.
  } else if (analysis === null) {
    kind = "error";
    title = "Not a URL";
    detail = "Nothing is hashed, and nothing could be looked up.";
  } else if (!hasLists) {
    title = "No list";
    detail = "Canonicalized and hashed, but there is no list to look it up in.";
  } else if (analysis.matches.length === 0) {
    kind = "clear";
    title = "Not listed";
    detail = `None of ${analysis.hashes.length === 1 ? "its one expression" : `its ${analysis.hashes.length} expressions`} has a prefix on a list.`;
  } else {
    kind = "listed";
    title = "Listed";
    const listed = new Set(analysis.matches.map(({ expression }) => expression)).size;
    detail = `${listed} of ${analysis.hashes.length} expressions on ${names(analysis.matches.map(({ list }) => list))}.`;
  }
  return (
    <div class={`verdict ${kind}`} role="status">
      <strong>{title}</strong>
      <span>{detail}</span>
    </div>
  );
}
