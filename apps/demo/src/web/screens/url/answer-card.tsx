import { changeText, type Refusal, type UrlExplanation, verdictText } from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";

interface AnswerCardProps {
  /** `null` when no URL is typed. */
  readonly explained: UrlExplanation | Refusal | null;
  /** What a text that is not a URL looks like, in words, if it looks like anything. */
  readonly looksLike: string | null;
  /** The URL that a defanged text stands for; `null` for any other text. */
  readonly meant: string | null;
  /** Called to use that URL instead. */
  readonly onMeant: (url: string) => void;
  readonly isLoading: boolean;
  /** Sentences that say why lists are missing. */
  readonly doubts: readonly string[];
}

type Answer = ReturnType<typeof answerTo>;

const MOST_MATCHES = 5;
const LONGEST_SAID = 100;

function answerTo({ explained, looksLike, isLoading, doubts }: AnswerCardProps) {
  if (explained === null) {
    const detail = "Type or paste one above, or choose an example.";
    return { kind: "none", title: "No URL yet", detail, notes: [] };
  }
  const { verdict, title, detail, notes, isCertain } = verdictText(explained);
  if ("error" in explained) {
    const kind = VERDICT_CLASSES[verdict];
    if (looksLike !== null) {
      return { kind, title, detail: `It looks like ${looksLike}.`, notes: [] };
    }
    return { kind, title, detail, notes: [`Expected ${explained.error.expected}.`] };
  }
  if (isLoading && verdict === "no-list") {
    const wait = "The verdict will appear when they are loaded.";
    return { kind: "none", title: "Loading the lists …", detail: wait, notes };
  }
  const all = [...doubts, ...notes];
  if (verdict === "not-listed" && (doubts.length > 0 || !isCertain)) {
    return { kind: "doubt", title: "Not listed, but not for certain", detail, notes: all };
  }
  return { kind: VERDICT_CLASSES[verdict], title, detail, notes: all };
}

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

/** What a defanged text stands for, and a button that puts it in its place. */
function Meant({ url, onMeant }: { readonly url: string; readonly onMeant: () => void }): VNode {
  return (
    <p class="row meant">
      <span>
        It stands for <Data text={url} limit={200} />
      </span>
      <button type="button" onClick={onMeant}>
        Turn it back, and check it
      </button>
    </p>
  );
}

/** What screen readers announce: the verdict, on which URL, and why. */
function announcementOf(
  { explained, looksLike }: AnswerCardProps,
  { title, detail }: Answer,
): string {
  if (explained === null) return title;
  if (looksLike !== null) return `${title}. ${detail}`;
  if ("error" in explained) return `${title}: expected ${explained.error.expected}.`;
  return `${title}: ${explained.canonical.slice(0, LONGEST_SAID)}. ${detail}`;
}

/** The verdict, and the reasons for it. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { explained, meant, onMeant } = props;
  const answer = answerTo(props);
  const { kind, title, detail, notes } = answer;
  const change = explained === null ? null : changeText(explained);
  return (
    <section class={`stack answer ${kind}`} aria-label="Answer">
      <Announcement text={printableInShort(announcementOf(props, answer))} />
      <div class={`row verdict ${kind}`}>
        <strong>{title}</strong>
        <span>{printableInShort(detail)}</span>
      </div>
      {meant !== null && <Meant url={meant} onMeant={() => onMeant(meant)} />}
      {explained !== null && "matches" in explained && <Matches explained={explained} />}
      {notes.length > 0 && (
        <ul class="stack notes" aria-label="About this verdict">
          {notes.map((note) => (
            <li key={note}>{printableInShort(note)}</li>
          ))}
        </ul>
      )}
      {change !== null && <p class="muted">{printableInShort(change)}</p>}
    </section>
  );
}
