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

/** The piece of a host that makes it look like a site: the domain of the site, or what is different from it. */
function imitatingRange({ text, domainStart }: UrlPart, site: string): Range {
  const host = text.toLowerCase();
  const whole = host.indexOf(site);
  if (whole >= 0) return [whole, whole + site.length];
  const domain = host.slice(domainStart);
  let start = 0;
  while (start < domain.length && domain[start] === site[start]) start++;
  let end = 0;
  const most = Math.min(domain.length, site.length) - start;
  while (end < most && domain.at(-1 - end) === site.at(-1 - end)) end++;
  // If a letter is missing, the letter before it is marked.
  const first = Math.min(start, domain.length - end - 1);
  return [domainStart + Math.max(first, 0), domainStart + domain.length - end];
}

interface HostProps {
  readonly part: UrlPart;
  /** The well-known site that the host imitates. */
  readonly site: string | null;
}

/** The text of a part. In the host that a browser opens, what stands before the registrable domain is not bold. */
function PartText({ part, site }: HostProps): VNode {
  const { text, lookAlikes, domainStart, role } = part;
  const isImitating = role === "host" && site !== null && lookAlikes.length === 0;
  const range = isImitating ? imitatingRange(part, site) : null;
  const within = (from: number, to: number): Range | null => {
    const [start, end] = range === null ? [0, 0] : range;
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

interface AnnotatedUrlProps {
  readonly parts: readonly UrlPart[];
  readonly site: string | null;
}

/**
 * The URL as it was typed. In the host that a browser opens, only the registrable domain is bold: it shows whose site
 * that is. Labels below name the parts that matter.
 */
export function AnnotatedUrl({ parts, site }: AnnotatedUrlProps): VNode {
  const labelled = parts.filter(({ label }) => label !== null);
  return (
    <div class="stack">
      <p class="data url-parts" dir="ltr">
        {parts.map((part, i) => (
          <span key={i} class={`url-part ${part.role}`}>
            <PartText part={part} site={site} />
            {part.label !== null && <span class="hidden"> ({printable(part.label)})</span>}
          </span>
        ))}
      </p>
      <ul class="row part-legend" aria-hidden="true">
        {labelled.map(({ text, role, label, domainStart }) => (
          <li key={role} class={`url-part ${role}`}>
            <span class="data" dir="ltr">
              <Shortened text={text.slice(domainStart)} limit={40} />
            </span>{" "}
            {printable(label!)}
          </li>
        ))}
      </ul>
    </div>
  );
}
