import { printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Data } from "../../components/data.tsx";
import { FIRST_EXAMPLE } from "../../model/first-example.ts";
import { type PageList, splitLists } from "../../model/page-list.ts";
import { urlResult } from "../../model/url-result.ts";
import { plainAnswer } from "./plain-answer.ts";

interface ExampleCardProps {
  /** The lists in use; `null` while they are loading. */
  readonly lists: readonly PageList[] | null;
  readonly doubts: readonly string[];
  readonly onOpen: (url: string) => void;
}

/** A short answer about an example. */
export function ExampleCard({ lists, doubts, onOpen }: ExampleCardProps): VNode {
  const result = useMemo(
    () => urlResult(FIRST_EXAMPLE, lists && splitLists(lists), 4, null),
    [lists],
  );
  const { kind, badge, sentence } = plainAnswer({ result, isSearching: false }, { doubts });
  return (
    <section class={`stack box example ${kind}`} aria-label="Example">
      <p class="row">
        <span class="muted">An example:</span>
        <Data text={FIRST_EXAMPLE} limit={200} />
      </p>
      <p class="row">
        <strong>{printableInShort(sentence)}</strong>
        <span class={`tag ${kind}`}>{badge}</span>
        <button type="button" class="link" onClick={() => onOpen(FIRST_EXAMPLE)}>
          See the whole answer
        </button>
      </p>
    </section>
  );
}
