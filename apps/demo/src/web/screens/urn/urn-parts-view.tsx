import type { VNode } from "preact";
import { Data, Shortened } from "../../components/data.tsx";
import type { UrnPart, UrnRole } from "../../model/urn-parts.ts";

const NAMES: Readonly<Record<UrnRole, string>> = {
  scheme: "scheme",
  nid: "NID",
  nss: "NSS",
  "r-component": "r-component",
  "q-component": "q-component",
  "f-component": "f-component",
};

interface UrnPartsProps {
  readonly text: string;
  readonly parts: readonly UrnPart[];
}

const LIMIT = 400;

/** A URN with its parts in colours, and a table of where they are. */
export function UrnParts({ text, parts }: UrnPartsProps): VNode {
  return (
    <>
      <p class="data big" dir="ltr">
        {parts.map(({ role, start, end }, i) => (
          <span key={role}>
            {text.slice(parts[i - 1]?.end ?? 0, start)}
            <span class={`part ${role}`}>
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
          {parts.map(({ role, start, end }) => (
            <tr key={role}>
              <th scope="row">
                <span class={`part ${role}`}>{NAMES[role]}</span>
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
