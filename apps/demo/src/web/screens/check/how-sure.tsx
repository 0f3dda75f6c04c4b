import {
  annotateUrl,
  oddsText,
  REDIRECTS,
  type Refusal,
  type UrlExplanation,
  type UrlPart,
  verdictText,
} from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable, printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data, Unbroken } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { SITES } from "../../model/sites.ts";

const MOST_MATCHES = 5;

/** The matching entries in plain words. If there is only one, the answer has named it. */
function Matches({ matches }: Pick<UrlExplanation, "matches">): VNode | null {
  if (matches.length < 2) return null;
  return (
    <ul aria-label="Matches">
      {matches.slice(0, MOST_MATCHES).map(({ list, checksum, created, expression, prefix }) => (
        <li key={`${checksum} ${expression}`}>
          <Data text={expression} limit={200} />{" "}
          <span class="muted">
            on {printable(list).slice(0, 80)}
            {created > "1970-01-02" && `, made ${created.slice(0, 10)}`}, entry{" "}
            <code>{prefix.slice(0, 16)}</code>
          </span>
        </li>
      ))}
      {matches.length > MOST_MATCHES && (
        <li class="muted">and {matches.length - MOST_MATCHES} more</li>
      )}
    </ul>
  );
}

/** Why a URL has its verdict, in plain words; `null` if the answer has named the only entry. */
function plainDetail(explained: UrlExplanation): string | null {
  const { listed, lists, matches } = explained;
  if (listed === null) return "The URL was not looked up.";
  if (listed) {
    if (matches.length === 1) return null;
    const entries = new Set(matches.map(({ expression }) => expression)).size;
    const probably = verdictText(explained).isCertain ? "" : "probably ";
    return `${counted(entries, "entry", "entries")} ${probably}${entries === 1 ? "lists" : "list"} it:`;
  }
  const [only] = lists;
  const of =
    only === undefined || lists.length > 1
      ? `entries of ${lists.map(({ name }) => name).join(" or ")}`
      : `${counted(only.size, "entry", "entries")} of ${only.name}`;
  return `None of the ${of} is for this page, for a folder above it, or for its site.`;
}

interface HowSureProps {
  readonly explained: UrlExplanation | Refusal;
  readonly input: string;
  /** Whether the verdict is about a URL inside the one that was typed. */
  readonly isInner: boolean;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  /** The facts of the answer. */
  readonly facts: readonly string[];
}

/** The parts of the URL that matter, and what they mean. */
function partNotes(parts: readonly UrlPart[]): readonly string[] {
  return parts.flatMap(({ text, note }) => {
    if (note === null) return [];
    return text.length > 80 ? note : `${text}: ${note}`;
  });
}

/** The reasons for a verdict and its odds. */
export function HowSure({ explained, input, isInner, doubts, facts }: HowSureProps): VNode {
  const { detail, notes, prefixNote } = verdictText(explained);
  const isExplained = !("error" in explained);
  const parts = isExplained ? annotateUrl(input, explained, SITES) : [];
  const disguise = parts.find((part) => part.disguise !== null)?.disguise ?? null;
  const isByChance = isExplained && explained.matches.some(({ prefix }) => prefix.length < 64);
  const odds = isByChance ? oddsText(explained.chanceOfFalseMatch ?? 0) : null;
  const plainNotes = [
    ...doubts,
    ...notes.filter((note) => note !== prefixNote),
    ...(odds === null ? [] : [`${odds.charAt(0).toUpperCase()}${odds.slice(1)}.`]),
    ...partNotes(parts),
    ...facts.filter((fact) => fact === REDIRECTS),
  ];
  const reason = isExplained ? plainDetail(explained) : detail;
  return (
    <Panel title="Why this verdict">
      {isInner && (
        <p>
          The verdict is about the link inside: <Data text={input} limit={200} />
        </p>
      )}
      {disguise !== null && (
        <p>
          <Unbroken text={printableInShort(disguise)} />
        </p>
      )}
      {reason !== null && (
        <p>
          <Unbroken text={printableInShort(reason)} />
        </p>
      )}
      {isExplained && <Matches {...explained} />}
      {plainNotes.length > 0 && (
        <ul class="stack notes" aria-label="About this verdict">
          {plainNotes.map((note) => (
            <li key={note}>
              <Unbroken text={printableInShort(note)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
