import type { ComponentChildren, VNode } from "preact";
import { More } from "../../components/more.tsx";
import type { Entry } from "../../model/match-hashed.ts";
import type { ShownOfMany } from "../../model/shown-of-many.ts";

interface EntriesProps<E extends Entry> {
  readonly name: string;
  readonly entries: ShownOfMany<E>;
  /** The index of the first entry. */
  readonly firstIndex: number;
  /** The content below an entry. */
  readonly note?: (entry: E) => ComponentChildren;
}

/** Hashed URIs with their numbers. */
export function Entries<E extends Entry>(props: EntriesProps<E>): VNode {
  const { name, entries, firstIndex, note } = props;
  return (
    <>
      <ol class="stack entries published" aria-label={name}>
        {entries.shown.map((entry, i) => (
          <li key={i} class={`entry-row ${entry.unusable === null ? "" : "unusable"}`}>
            <span class="number">#{firstIndex + i + 1}</span>
            <span>
              <code class="hash whole">{entry.text}</code>
              {note?.(entry)}
              {entry.unusable !== null && <em class="warning">never matches: {entry.unusable}</em>}
            </span>
          </li>
        ))}
      </ol>
      <More of={entries} />
    </>
  );
}
