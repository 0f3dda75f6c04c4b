import type { InputProblem } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { safeCut } from "../model/visible.ts";
import { Visible } from "./data.tsx";

interface ProblemProps {
  readonly error: InputProblem;
  /** The text that `index` refers to. */
  readonly input: string;
  readonly looksLike?: string | null;
  /** The id of the sentence about the expected text, so that a field can refer to that sentence. */
  readonly id?: string;
}

const AROUND = 60;

/** The text around a problem, with the place of the problem marked. */
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

export function Problem({ error, input, looksLike = null, id }: ProblemProps): VNode {
  const { code, expected, section, index } = error;
  const at = index === null ? [] : [`index ${index.toLocaleString("en")}`];
  return (
    <div class="stack problem">
      <p id={id}>
        Expected {printable(expected)}.{looksLike !== null && ` This looks like ${looksLike}.`}
      </p>
      {index !== null && <Place input={input} index={index} />}
      <details class="in-terms">
        <summary>For developers</summary>
        <span class="muted">
          {[...at, section ?? []].flat().map((one) => `${one}; `)}code{" "}
          <code class="name">{code}</code>
        </span>
      </details>
    </div>
  );
}
