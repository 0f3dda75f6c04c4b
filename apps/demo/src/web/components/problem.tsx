import type { VNode } from "preact";
import { printable } from "../../text/printable.ts";
import { safeCut } from "../model/shorten.ts";
import { Visible } from "./data.tsx";

interface ProblemProps {
  readonly error: {
    readonly code: string;
    readonly expected: string;
    readonly section: string;
    readonly index: number | null;
  };
  /** The text that `index` is a place in. */
  readonly input: string;
  /** Of what was expected, for a field to refer to. */
  readonly id?: string;
}

const AROUND = 60;

/** The text around the place where it went wrong, with a mark at the place. */
function Place({ input, index }: { readonly input: string; readonly index: number }): VNode {
  const from = safeCut(input, Math.max(0, index - AROUND));
  const at = safeCut(input, index);
  const isPair = (input.codePointAt(at) ?? 0) > 0xffff;
  const character = input.slice(at, at + (isPair ? 2 : 1));
  return (
    <pre class="place" dir="ltr">
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

/** An error of one of the packages: what was expected, where, and which section says so. */
export function Problem({ error, input, id }: ProblemProps): VNode {
  const { code, expected, section, index } = error;
  return (
    <div class="problem">
      <p id={id}>
        <code>{code}</code> Expected {printable(expected)}.
      </p>
      {index !== null && <Place input={input} index={index} />}
      <p class="muted">
        {index !== null && `At index ${index.toLocaleString("en")}. `}
        {section}
      </p>
    </div>
  );
}
