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
  const { code, expected, section, index, allowedBy } = error;
  const at = index === null ? [] : [`index ${index.toLocaleString("en")}`];
  return (
    <div class="stack problem">
      <p id={id}>
        Expected {printable(expected)}.{looksLike !== null && ` This looks like ${looksLike}.`}
        {allowedBy !== undefined && " RFC 8141 allows it; RFC 2141 is the older rule."}
      </p>
      {index !== null && <Place input={input} index={index} />}
      <details class="in-terms">
        <summary>For developers</summary>
        <ErrorCode start="" code={code} where={section === null ? at : [...at, section]} />
      </details>
    </div>
  );
}

interface ErrorCodeProps {
  readonly code: string;
  readonly where?: readonly string[];
  readonly start?: string;
}

/** The code and the place of a problem, for developers. The page also describes the problem in words. */
export function ErrorCode({ code, where = [], start = "For developers: " }: ErrorCodeProps): VNode {
  return (
    <span class="muted">
      {start}
      {where.map((one) => `${one}; `)}code <code class="name">{code}</code>
    </span>
  );
}
