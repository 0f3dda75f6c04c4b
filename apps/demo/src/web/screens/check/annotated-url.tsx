import type { UrlPart } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Shortened } from "../../components/data.tsx";

const LIMIT = 160;

/** A piece of a text: from one index to another. */
type Range = readonly [start: number, end: number];

interface PieceProps extends Pick<UrlPart, "text" | "lookAlikes"> {
  readonly marked: Range | null;
}

/** A text in which what misleads is marked: letters that look like others, unless it is long, or one piece. */
function Piece({ text, lookAlikes, marked }: PieceProps): VNode {
  const hasMarks = lookAlikes.length > 0 && text.length <= LIMIT;
  const pieces =
    marked !== null
      ? [text.slice(0, marked[0]), text.slice(...marked), text.slice(marked[1])]
      : hasMarks
        ? text.split(new RegExp(`([${lookAlikes.join("")}])`, "iu"))
        : [text];
  return (
    <>
      {pieces.map((piece, i) =>
        i % 2 === 1 && piece !== "" ? (
          <mark key={i}>{piece}</mark>
        ) : (
          <Shortened key={i} text={piece} limit={LIMIT} />
        ),
      )}
    </>
  );
}

/** The text of a part. In the host that a browser opens, what stands before the registrable domain is not bold. */
function PartText({ part }: { readonly part: UrlPart }): VNode {
  const { text, lookAlikes, domainStart, imitating } = part;
  const within = (from: number, to: number): Range | null => {
    const { start, end } = imitating ?? { start: 0, end: 0 };
    const piece = [Math.max(start, from) - from, Math.min(end, to) - from] as const;
    return piece[0] < piece[1] ? piece : null;
  };
  return (
    <>
      {domainStart > 0 && (
        <span class="below-domain">
          <Piece
            text={text.slice(0, domainStart)}
            lookAlikes={lookAlikes}
            marked={within(0, domainStart)}
          />
        </span>
      )}
      <Piece
        text={text.slice(domainStart)}
        lookAlikes={lookAlikes}
        marked={within(domainStart, text.length)}
      />
    </>
  );
}

/**
 * The URL as it was typed. In the host that a browser opens, only the registrable domain is bold: it shows whose site
 * that is. Labels below name the parts that matter.
 */
export function AnnotatedUrl({ parts }: { readonly parts: readonly UrlPart[] }): VNode {
  const key = parts.flatMap(({ text, role, label, domainStart, imitating }) => [
    ...(label === null ? [] : [[role, text.slice(domainStart), label] as const]),
    ...(imitating === null
      ? []
      : [["imitating", text.slice(imitating.start, imitating.end), imitating.label] as const]),
  ]);
  // The sentence above the URL says the same about a host that is the only part with a label.
  const isPlain = key.length === 1 && parts.every(({ lookAlikes }) => lookAlikes.length === 0);
  const shown = isPlain ? [] : key;
  return (
    <div class="stack">
      <p class="data url-parts" dir="ltr">
        {parts.map((part, i) => (
          <span key={i} class={`url-part ${part.role}`}>
            <PartText part={part} />
            {part.label !== null && (
              <span class="hidden">
                {" "}
                ({printable([part.label, part.imitating?.note ?? []].flat().join("; "))})
              </span>
            )}
            {parts[i + 1]?.role === "host" && <wbr />}
          </span>
        ))}
      </p>
      <ul class="row part-legend" aria-hidden="true">
        {shown.map(([role, text, label]) => (
          <li key={role} class={`url-part ${role}`}>
            <span class="data" dir="ltr">
              <Shortened text={text} limit={40} />
            </span>{" "}
            {printable(label)}
          </li>
        ))}
      </ul>
    </div>
  );
}
