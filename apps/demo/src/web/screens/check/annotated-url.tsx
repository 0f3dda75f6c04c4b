import type { UrlPart } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Shortened } from "../../components/data.tsx";

const LIMIT = 160;

/** A text in which letters that look like others are marked, unless it is too long to be shown in full. */
function Piece({ text, lookAlikes }: Pick<UrlPart, "text" | "lookAlikes">): VNode {
  const marked = lookAlikes.length > 0 && text.length <= LIMIT;
  const pieces = marked ? text.split(new RegExp(`([${lookAlikes.join("")}])`, "iu")) : [text];
  return (
    <>
      {pieces.map((piece, i) =>
        i % 2 === 1 ? (
          <mark key={i}>{piece}</mark>
        ) : (
          <Shortened key={i} text={piece} limit={LIMIT} />
        ),
      )}
    </>
  );
}

/**
 * The URL as it was typed. In the host that a browser opens, only the registrable domain is bold: it shows whose site
 * that is. Labels below name the parts that matter.
 */
export function AnnotatedUrl({ parts }: { readonly parts: readonly UrlPart[] }): VNode {
  const labelled = parts.filter(({ label }) => label !== null);
  return (
    <div class="stack annotated">
      <p class="data url-parts" dir="ltr">
        {parts.map(({ text, role, label, lookAlikes, domainStart }, i) => (
          <span key={i} class={`url-part ${role}`}>
            {domainStart > 0 && (
              <span class="below-domain">
                <Piece text={text.slice(0, domainStart)} lookAlikes={lookAlikes} />
              </span>
            )}
            <Piece text={text.slice(domainStart)} lookAlikes={lookAlikes} />
            {label !== null && <span class="hidden"> ({printable(label)})</span>}
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
