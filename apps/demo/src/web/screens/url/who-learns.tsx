import type { VNode } from "preact";
import { Panel } from "../../components/panel.tsx";

const NOTHING = "nothing";
const YOU = "who you are";

/** The ways to check a URL, with the data that the host of the list, a relay and the server learn. */
const ROWS: readonly (readonly [way: string, host: string, relay: string, server: string])[] = [
  ["Send the whole URL", NOTHING, NOTHING, `${YOU}, and the URL`],
  ["Ask about every URL by hash prefixes", NOTHING, NOTHING, `${YOU}, and 4 bytes of each hash`],
  ["Keep a list, and ask about matches", YOU, NOTHING, `${YOU}, and 4 bytes of a match`],
  [
    "The same, through a relay",
    YOU,
    `${YOU}, not what you ask`,
    "4 bytes of a match, not who you are",
  ],
  ["Keep a list with prefixes of 8 bytes", YOU, NOTHING, NOTHING],
];

/** Compares the ways to check a URL by the data that others learn. */
export function WhoLearns(): VNode {
  return (
    <Panel
      title="Who learns what"
      lead="There are several ways to check a URL. “Who you are” is your network address, and when you ask. The host of a list learns only when you update it, not what you visit."
    >
      <table class="learns">
        <thead>
          <tr>
            <th scope="col">What you do</th>
            <th scope="col">The list’s host learns</th>
            <th scope="col">The relay learns</th>
            <th scope="col">The server learns</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([way, ...learned]) => (
            <tr key={way}>
              <th scope="row">{way}</th>
              {learned.map((text, i) => (
                <td key={i} class={text === NOTHING ? "muted" : ""}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
