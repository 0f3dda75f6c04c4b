import { useEffect, useRef, useState } from "preact/hooks";
import { type Asked, ask, type Task, type TaskResult } from "../worker-client.ts";
import { usePending } from "./use-pending.ts";

type Answered<T extends Task> =
  | { readonly asked: Asked<T>; readonly answer: TaskResult<T>; readonly problem: null }
  | { readonly asked: Asked<T>; readonly answer: null; readonly problem: string };

export interface AnswerState<T extends Task> {
  readonly latest: Answered<T> | null;
  /** Whether the question has changed since the latest answer. */
  readonly isBusy: boolean;
}

/**
 * The worker's answer to a question. If the question changes several times while the worker is busy, only its last
 * version is asked.
 *
 * @param asked a new object for each new question; `null` for none.
 */
export function useAnswer<T extends Task>(task: T, asked: Asked<T> | null): AnswerState<T> {
  const [latest, setLatest] = useState<Answered<T> | null>(null);
  const isWorking = useRef(false);
  const isBusy = asked !== null && latest?.asked !== asked;
  usePending(isBusy);
  useEffect(() => {
    if (!isBusy || isWorking.current) return;
    isWorking.current = true;
    const settle = (answered: Answered<T>): void => {
      isWorking.current = false;
      setLatest(answered);
    };
    ask(task, asked).then(
      (answer) => settle({ asked, answer, problem: null }),
      (error: Error) => settle({ asked, answer: null, problem: error.message }),
    );
  }, [task, asked, isBusy, latest]);
  return { latest, isBusy };
}
