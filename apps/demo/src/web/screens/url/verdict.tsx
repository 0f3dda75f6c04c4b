import { type Refusal, type UrlExplanation, type Verdict, verdictText } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";

interface VerdictBarProps {
  /** `null` when no URL is typed. */
  readonly explained: UrlExplanation | Refusal | null;
}

const CLASSES: Readonly<Record<Verdict, string>> = {
  listed: "listed",
  "not-listed": "clear",
  "no-list": "none",
  "not-a-url": "error",
};

/** The verdict in one line. Screen readers read it out when it changes. */
export function VerdictBar({ explained }: VerdictBarProps): VNode {
  const { kind, title, detail } =
    explained === null
      ? {
          kind: "none",
          title: "No URL yet",
          detail: "Type or paste one above, or choose an example.",
        }
      : wordsOf(explained);
  return (
    <div class={`verdict ${kind}`} role="status">
      <strong>{title}</strong>
      <span>{detail}</span>
    </div>
  );
}

function wordsOf(explained: UrlExplanation | Refusal) {
  const { verdict, title, detail } = verdictText(explained);
  return { kind: CLASSES[verdict], title, detail: printableInShort(detail) };
}
