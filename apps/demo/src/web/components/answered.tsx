import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import type { Answering } from "../hooks/use-answer.ts";
import type { Answer, Asked, Question } from "../model/messages.ts";

interface AnsweredProps<Q extends Question> {
  readonly answering: Answering<Q>;
  readonly children: (answer: Answer<Q>, asked: Asked<Q>) => ComponentChildren;
}

/** The answer of the worker. It fades if it stays out of date for more than a moment. */
export function Answered<Q extends Question>({ answering, children }: AnsweredProps<Q>): VNode {
  const { latest, isBusy } = answering;
  return (
    <div class="answered" aria-busy={isBusy}>
      {latest === null && <p class="muted">Working …</p>}
      {latest?.problem != null && (
        <p class="warning" role="alert">
          There is no result: {printable(latest.problem)}.
        </p>
      )}
      {latest?.answer != null && children(latest.answer, latest.asked)}
    </div>
  );
}
