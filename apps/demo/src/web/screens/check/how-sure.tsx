import {
  annotateUrl,
  oddsText,
  type Refusal,
  type UrlExplanation,
  type UrlPart,
  verdictText,
} from "@x/explain";
import { counted } from "@x/explain/counted";
import { printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { Data, Unbroken } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { SITES } from "../../model/sites.ts";
import type { ShownAnswer } from "./plain-answer.ts";

/** Why a URL has its verdict, in plain words; `null` for a listed one, whose notes name the entries. */
function plainDetail(explained: UrlExplanation): string | null {
  const { listed, lists } = explained;
  if (listed === null) return "The URL was not looked up.";
  if (listed) return null;
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
  readonly answer: ShownAnswer;
}

/** The parts of the URL that matter, and what they mean. */
function partNotes(parts: readonly UrlPart[]): readonly string[] {
  return parts.flatMap(({ text, note }) => {
    if (note === null) return [];
    return text.length > 80 ? note : `${text}: ${note}`;
  });
}

/** The reasons for a verdict and its odds. */
export function HowSure({ explained, input, isInner, doubts, answer }: HowSureProps): VNode {
  const { detail, notes, prefixNote } = verdictText(explained);
  const isExplained = !("error" in explained);
  const parts = isExplained ? annotateUrl(input, explained, SITES) : [];
  const isByChance = isExplained && explained.matches.some(({ prefix }) => prefix.length < 64);
  const odds = isByChance ? oddsText(explained.chanceOfFalseMatch ?? 0) : null;
  const plainNotes = [
    ...doubts,
    ...notes.filter((note) => note !== prefixNote),
    ...(odds === null ? [] : [`${odds.charAt(0).toUpperCase()}${odds.slice(1)}.`]),
    ...partNotes(parts),
    ...(answer.caveat === null ? [] : [answer.caveat]),
  ];
  const reasons = [
    answer.misleads ?? [],
    ...parts.map(({ disguise }) => disguise ?? []),
    (isExplained ? plainDetail(explained) : detail) ?? [],
  ].flat();
  return (
    <Panel title="Why this verdict">
      {isInner && (
        <p>
          The verdict is about the link inside: <Data text={input} limit={200} />
        </p>
      )}
      {reasons.map((reason) => (
        <p key={reason}>
          <Unbroken text={printableInShort(reason)} />
        </p>
      ))}
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
