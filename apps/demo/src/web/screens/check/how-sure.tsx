import {
  annotateUrl,
  changeText,
  oddsText,
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

/** The matching entries in plain words. */
function Matches({ matches }: Pick<UrlExplanation, "matches">): VNode | null {
  if (matches.length === 0) return null;
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

/** Why a URL has its verdict, in plain words. */
function plainDetail(explained: UrlExplanation): string {
  const { listed, lists, matches } = explained;
  if (listed === null) return "The URL was not looked up.";
  if (listed) {
    const entries = new Set(matches.map(({ expression }) => expression)).size;
    const probably = verdictText(explained).isCertain ? "" : "probably ";
    return entries === 1
      ? `One entry ${probably}lists it:`
      : `${entries} entries ${probably}list it:`;
  }
  const [only] = lists;
  const of =
    only === undefined || lists.length > 1
      ? `entries of ${lists.map(({ name }) => name).join(" or ")}`
      : `${counted(only.size, "entry", "entries")} of ${only.name}`;
  return `None of the ${of} is for this page, for a folder above it, or for its site.`;
}

/** The reasons in the terms of the specifications, and the entries that would list a URL. */
function InTerms({ explained }: { readonly explained: UrlExplanation }): VNode {
  const { detail, prefixNote } = verdictText(explained);
  // The answer about a listed URL says how to get it off the lists.
  const change = explained.listed === true ? null : changeText(explained);
  return (
    <details class="in-terms">
      <summary>
        {change === null ? "In terms of hashes" : "Hashes, and how to list the URL"}
      </summary>
      <div class="stack">
        <p>{printableInShort(detail)}</p>
        {prefixNote !== null && <p>{printableInShort(prefixNote)}</p>}
        {change !== null && (
          <p class="muted">
            <Unbroken text={printableInShort(change)} />
          </p>
        )}
      </div>
    </details>
  );
}

interface HowSureProps {
  readonly explained: UrlExplanation | Refusal;
  readonly input: string;
  /** Whether the verdict is about a URL inside the one that was typed. */
  readonly isInner: boolean;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
}

/** The parts of the URL that matter, and what they mean. */
function partNotes(parts: readonly UrlPart[]): readonly string[] {
  return parts.flatMap(({ text, note }) => {
    if (note === null) return [];
    return text.length > 80 ? note : `${text}: ${note}`;
  });
}

/** The reasons for a verdict, its odds, and the entries that would change it. */
export function HowSure({ explained, input, isInner, doubts }: HowSureProps): VNode {
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
  ];
  return (
    <Panel title="How sure is the verdict?">
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
      <p>
        <Unbroken text={printableInShort(isExplained ? plainDetail(explained) : detail)} />
      </p>
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
      {isExplained && <InTerms explained={explained} />}
    </Panel>
  );
}
