import { annotateUrl, type UrlExplanation } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Example } from "../../components/panels.tsx";
import { type PageList, splitLists } from "../../model/page-list.ts";
import { FIRST_EXAMPLE } from "../../model/screens.ts";
import { urlResult } from "../../model/url-result.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";
import { plainAnswer } from "./plain-answer.ts";

interface ExampleCardProps {
  readonly lists: readonly PageList[] | null;
  readonly doubts: readonly string[];
  readonly onOpen: (url: string) => void;
}

export function ExampleCard({ lists, doubts, onOpen }: ExampleCardProps): VNode {
  const result = useMemo(() => urlResult(FIRST_EXAMPLE, lists && splitLists(lists), null), [lists]);
  // The sentences around it say enough about its parts.
  const parts = useMemo(() => {
    const annotated = annotateUrl(FIRST_EXAMPLE, result.explained as UrlExplanation);
    return annotated.map((part) => ({ ...part, label: null }));
  }, [result]);
  const { kind, badge, sentence } = plainAnswer({ result, isSearching: false }, { doubts });
  return (
    <section class={`stack box example ${kind}`} aria-label="Example">
      <p class="muted">Example. Purple: disguise. Blue: what opens.</p>
      <AnnotatedUrl parts={parts} />
      <p class="row">
        <strong>{printableInShort(sentence)}</strong>
        <span class={`tag ${kind}`}>{badge}</span>
        <button type="button" class="link" onClick={() => onOpen(FIRST_EXAMPLE)}>
          See the answer
        </button>
      </p>
    </section>
  );
}

/** Examples from the specifications, and others. */
export const URL_EXAMPLES: readonly Example<string>[] = [
  {
    label: "Spoofed host",
    value: "HTTP://login.AZUKISHOP.live\\@www.wikipedia.org:80/wiki/%2555RL#top",
  },
  { label: "Address as a number", value: "http://3279880203/blah" },
  { label: "Defanged", value: "hxxps://login[.]azukishop[.]live/wallet" },
  { label: "Look-alike letters", value: "https://\u0430pple.com/login" },
  {
    label: "Listed site in disguise",
    value: "HTTP://wallet@login.AZUKISHOP.live:8080/x/%2e%2e/%2561pp?id=1#top",
  },
  { label: "Only a browser opens it", value: "https:azukishop.live" },
];
