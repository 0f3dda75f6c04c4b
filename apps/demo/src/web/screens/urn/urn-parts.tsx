import { URN_PART_LABELS, type UrnExplanation, type UrnPartName } from "@x/explain";
import type { VNode } from "preact";
import { Data, Shortened } from "../../components/data.tsx";

interface UrnPartsProps {
  readonly text: string;
  readonly offsets: UrnExplanation["offsets"];
}

const LIMIT = 400;

const SCHEME = { label: "scheme", style: "scheme", start: 0, end: "urn".length };

/** A URN with its parts in colours, and a table of their places. */
export function UrnParts({ text, offsets }: UrnPartsProps): VNode {
  const names = Object.keys(offsets) as UrnPartName[];
  const found = names.flatMap((name) => {
    const span = offsets[name];
    if (span === null) return [];
    const label = URN_PART_LABELS[name];
    return [{ label, style: label.toLowerCase(), start: span[0], end: span[1] }];
  });
  const parts = [SCHEME, ...found];
  return (
    <>
      <p class="data big" dir="ltr">
        {parts.map(({ label, style, start, end }, i) => (
          <span key={label}>
            {text.slice(parts[i - 1]?.end ?? 0, start)}
            <span class={`part ${style}`}>
              <Shortened text={text.slice(start, end)} limit={LIMIT} />
            </span>
          </span>
        ))}
      </p>
      <table class="offsets">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ label, style, start, end }) => (
            <tr key={label}>
              <th scope="row">
                <span class={`part ${style}`}>{label}</span>
              </th>
              <td>{start}</td>
              <td>{end}</td>
              <td>
                {start === end ? (
                  <span class="muted">empty</span>
                ) : (
                  <Data text={text.slice(start, end)} limit={120} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
