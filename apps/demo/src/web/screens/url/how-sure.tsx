import { changeText, type Refusal, type UrlExplanation, verdictText } from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";
import { Unbroken } from "../../components/unbroken.tsx";

const MOST_MATCHES = 5;

function Matches({ explained }: { readonly explained: UrlExplanation }): VNode | null {
  const { matches } = explained;
  if (matches.length === 0) return null;
  return (
    <ul class="answer-matches" aria-label="Matches">
      {matches.slice(0, MOST_MATCHES).map(({ list, checksum, created, expression, prefix }) => (
        <li key={`${checksum} ${expression}`}>
          <Data text={expression} limit={200} /> <span class="muted">matches the entry</span>{" "}
          <code>{prefix.length > 16 ? `${prefix.slice(0, 16)}…` : prefix}</code>{" "}
          <span class="muted">
            on {printable(list).slice(0, 80)} (checksum {checksum.slice(0, 8)}…, made{" "}
            {created.slice(0, 10)})
          </span>
        </li>
      ))}
      {matches.length > MOST_MATCHES && (
        <li class="muted">and {matches.length - MOST_MATCHES} more</li>
      )}
    </ul>
  );
}

interface HowSureProps {
  readonly explained: UrlExplanation | Refusal;
  /** The URL that the verdict is about, if it is inside the one that was typed. */
  readonly inner: string | null;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
}

/** The reasons for a verdict, its odds, and what would change it. */
export function HowSure({ explained, inner, doubts }: HowSureProps): VNode {
  const { detail, notes } = verdictText(explained);
  const change = changeText(explained);
  return (
    <Panel title="How sure is the verdict?">
      {inner !== null && (
        <p>
          The verdict is about the link inside: <Data text={inner} limit={200} />
        </p>
      )}
      <p>
        <Unbroken text={printableInShort(detail)} />
      </p>
      {"matches" in explained && <Matches explained={explained} />}
      {doubts.length + notes.length > 0 && (
        <ul class="stack notes" aria-label="About this verdict">
          {[...doubts, ...notes].map((note) => (
            <li key={note}>
              <Unbroken text={printableInShort(note)} />
            </li>
          ))}
        </ul>
      )}
      {change !== null && (
        <p class="muted">
          <Unbroken text={printableInShort(change)} />
        </p>
      )}
    </Panel>
  );
}
