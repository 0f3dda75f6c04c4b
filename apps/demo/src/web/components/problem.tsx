import type { InputProblem } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { safeCut } from "../model/shorten.ts";
import { Visible } from "./data.tsx";

interface ProblemProps {
  readonly error: InputProblem;
  /** The text that `index` refers to. */
  readonly input: string;
  /** The id of the sentence that says what was expected. A field can refer to it. */
  readonly id?: string;
}

const AROUND = 60;

/** The text around the problem, with the place of the problem marked. */
function Place({ input, index }: { readonly input: string; readonly index: number }): VNode {
  const from = safeCut(input, Math.max(0, index - AROUND));
  const at = safeCut(input, index);
  const isPair = (input.codePointAt(at) ?? 0) > 0xffff;
  const character = input.slice(at, at + (isPair ? 2 : 1));
  return (
    <pre class="box place" dir="ltr">
      {from > 0 && "…"}
      <Visible text={input.slice(from, at)} />
      <mark>
        {character === "" ? <span class="escape">end</span> : <Visible text={character} />}
      </mark>
      <Visible text={input.slice(at + character.length, at + AROUND)} />
      {input.length > at + AROUND && "…"}
    </pre>
  );
}

/** Says why an input is refused: what was expected, at which place, and by which section of the specification. */
export function Problem({ error, input, id }: ProblemProps): VNode {
  const { code, expected, section, index, allowedBy } = error;
  return (
    <div class="stack problem">
      <p id={id}>
        Expected {printable(expected)}.
        {allowedBy !== undefined && " RFC 8141 allows it; RFC 2141 is the older rule."}
      </p>
      {index !== null && <Place input={input} index={index} />}
      <p class="muted">
        {index !== null && `At index ${index.toLocaleString("en")}. `}
        {section !== null && `${section}. `}
        <code>{code}</code>
      </p>
    </div>
  );
}
