import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
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

interface AnnouncementProps {
  readonly text: string;
  /** What the user types. While it changes, nothing is said, even if the text stays the same. */
  readonly about?: string;
}

/** People who type slowly must not hear about hosts that are only the start of one: “Opens a”, “Opens az”. */
const PAUSE_MS = 1500;

/** An invisible text that screen readers read out when it has changed and then stayed the same for a moment. */
export function Announcement({ text, about }: AnnouncementProps): VNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, about]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
