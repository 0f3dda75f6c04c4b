import type { Refusal, UrnExplanation } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Difference } from "../../components/difference.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { UrnParts } from "./urn-parts.tsx";

interface SyntaxColumnProps {
  readonly text: string;
  /** The specification, as in "By RFC 2141". */
  readonly title: string;
  readonly explained: UrnExplanation | Refusal;
}

/** The explanation of a URN by one specification, or by both if they agree. */
export function SyntaxColumn({ text, title, explained }: SyntaxColumnProps): VNode {
  if (text === "" || "error" in explained) {
    return (
      <Panel title={title}>
        {text === "" ? <p class="muted">No URN yet.</p> : <p class="tag error">not a URN</p>}
        {text !== "" && "error" in explained && <Problem error={explained.error} input={text} />}
      </Panel>
    );
  }
  const { nid, normalized, readable, notes } = explained;
  return (
    <Panel title={title}>
      <p class="tag same">a URN</p>
      <UrnParts text={text} offsets={explained.offsets} />
      <dl class="stack facts">
        <div>
          <dt>Normal form</dt>
          <dd>
            <Difference before={text} after={normalized} />{" "}
            <CopyButton text={() => normalized} what={`the normal form, ${title}`} />
          </dd>
        </div>
        <div>
          <dt>For people to read</dt>
          <dd>
            {readable === normalized ? (
              <span class="muted">the same as the normal form</span>
            ) : (
              <Data text={readable} limit={400} />
            )}
          </dd>
        </div>
        <div>
          <dt>Notes</dt>
          <dd>
            {notes.length === 0 ? (
              <span class="muted">no known rule of “{nid.toLowerCase()}” is broken</span>
            ) : (
              notes.map((note) => (
                <p key={note} class="warning">
                  {printable(note)}
                </p>
              ))
            )}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
