import type { ComponentChildren, VNode } from "preact";
import { printable } from "../../text/printable.ts";
import type { Answer, Asked, Question } from "../model/messages.ts";
import type { Answering } from "../use-answer.ts";

interface AnsweredProps<Q extends Question> {
  readonly answering: Answering<Q>;
  readonly children: (answer: Answer<Q>, asked: Asked<Q>) => ComponentChildren;
}

/** What the worker found out, which pales when it is out of date for longer than a moment. */
export function Answered<Q extends Question>({ answering, children }: AnsweredProps<Q>): VNode {
  const { latest, isBusy } = answering;
  return (
    <div class="answered" aria-busy={isBusy}>
      {latest === null && <p class="muted">Working …</p>}
      {latest?.problem != null && (
        <p class="warning" role="alert">
          Nothing was found out: {printable(latest.problem)}.
        </p>
      )}
      {latest?.answer != null && children(latest.answer, latest.asked)}
    </div>
  );
}
