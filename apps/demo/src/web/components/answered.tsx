import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import type { AnswerState } from "../hooks/use-answer.ts";
import type { Asked, Task, TaskResult } from "../worker-client.ts";

interface AnsweredProps<T extends Task> {
  readonly answering: AnswerState<T>;
  readonly children: (answer: TaskResult<T>, asked: Asked<T>) => ComponentChildren;
}

/** The worker's answer, which has a frame if it stays out of date for more than a moment. */
export function Answered<T extends Task>({ answering, children }: AnsweredProps<T>): VNode {
  const { latest, isBusy } = answering;
  return (
    <div class="stack answered" aria-busy={isBusy}>
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
