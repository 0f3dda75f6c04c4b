import type { UrlPart } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Shortened } from "../../components/data.tsx";

const LIMIT = 160;

/** Roles of parts, the most informative one first. The first one that occurs is explained at the start. */
const TELLING: readonly UrlPart["role"][] = ["end", "decoy", "host", "rules-host"];

/** How far each key moves. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface PieceProps extends Pick<UrlPart, "text" | "lookAlikes"> {
  readonly limit: number;
}

/** A text in which letters that look like others are marked, unless it is too long to be shown in full. */
function Piece({ text, lookAlikes, limit }: PieceProps): VNode {
  const marked = lookAlikes.length > 0 && text.length <= limit;
  const pieces = marked ? text.split(new RegExp(`([${lookAlikes.join("")}])`, "iu")) : [text];
  return (
    <>
      {pieces.map((piece, i) =>
        i % 2 === 1 ? (
          <mark key={i}>{piece}</mark>
        ) : (
          <Shortened key={i} text={piece} limit={limit} />
        ),
      )}
    </>
  );
}

/**
 * A part of a URL. In the host that a browser opens, only the registrable domain is bold: it shows whose site that is.
 */
function Part({ part, limit }: { readonly part: UrlPart; readonly limit: number }): VNode {
  const { text, lookAlikes, domainStart } = part;
  return (
    <span class="data" dir="ltr">
      {domainStart > 0 && (
        <span class="below-domain">
          <Piece text={text.slice(0, domainStart)} lookAlikes={lookAlikes} limit={limit} />
        </span>
      )}
      <Piece text={text.slice(domainStart)} lookAlikes={lookAlikes} limit={limit} />
    </span>
  );
}

/**
 * The URL as it was typed, part by part. Pointing at a part explains the part. The parts are one tab stop, and arrow
 * keys move between them.
 */
export function AnnotatedUrl({ parts }: { readonly parts: readonly UrlPart[] }): VNode {
  const [chosen, setChosen] = useState<number | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const noteId = useId();
  const telling = TELLING.map((role) => parts.findIndex((part) => part.role === role));
  const first = telling.find((index) => index >= 0) ?? 0;
  const current = chosen !== null && chosen < parts.length ? chosen : first;

  const move = (event: KeyboardEvent): void => {
    const step = MOVES[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + step, 0), parts.length - 1);
    row.current?.querySelectorAll("button")[next]?.focus();
  };

  return (
    <div class="stack annotated">
      <div
        class="row url-parts"
        role="toolbar"
        aria-label="The URL, part by part"
        ref={row}
        onKeyDown={move}
      >
        {parts.map((part, i) => (
          <button
            key={i}
            type="button"
            class={`url-part ${part.role}${part.lookAlikes.length > 0 ? " alike" : ""}`}
            aria-describedby={i === current ? noteId : undefined}
            aria-current={i === current}
            tabIndex={i === current ? 0 : -1}
            onFocus={() => setChosen(i)}
            onMouseEnter={() => setChosen(i)}
            onClick={() => setChosen(i)}
          >
            <Part part={part} limit={LIMIT} />
            {part.label !== null && <span class="part-label">{printable(part.label)}</span>}
          </button>
        ))}
      </div>
      <ul class="part-legend" aria-hidden="true">
        {parts.map(
          (part, i) =>
            part.label !== null && (
              <li key={i} class={`url-part ${part.role}`}>
                <Part part={part} limit={40} />{" "}
                <span class="legend-label">{printable(part.label)}</span>
              </li>
            ),
        )}
      </ul>
      <p class="part-note" id={noteId}>
        {printable(parts[current]!.note)}
      </p>
    </div>
  );
}
