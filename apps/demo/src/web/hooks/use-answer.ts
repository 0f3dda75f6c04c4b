import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer, Asked, Question } from "../model/messages.ts";
import type { WorkerClient } from "../worker-client.ts";

/** The latest answer, and its question. */
type Answered<Q extends Question> =
  | { readonly asked: Asked<Q>; readonly answer: Answer<Q>; readonly problem: null }
  | { readonly asked: Asked<Q>; readonly answer: null; readonly problem: string };

export interface Answering<Q extends Question> {
  /** `null` until there is one. */
  readonly latest: Answered<Q> | null;
  /** Whether the question has changed since. */
  readonly isBusy: boolean;
}

/**
 * The worker's answer to a question that may change while the worker is busy. Then only the last change is asked.
 *
 * @param asked a new object for each new question.
 */
export function useAnswer<Q extends Question>(
  worker: WorkerClient,
  question: Q,
  asked: Asked<Q>,
): Answering<Q> {
  const [latest, setLatest] = useState<Answered<Q> | null>(null);
  const isWorking = useRef(false);
  const isBusy = latest?.asked !== asked;
  useEffect(() => {
    if (!isBusy || isWorking.current) return;
    isWorking.current = true;
    const settle = (answered: Answered<Q>): void => {
      isWorking.current = false;
      setLatest(answered);
    };
    worker.ask(question, asked).then(
      (answer) => settle({ asked, answer, problem: null }),
      (error: Error) => settle({ asked, answer: null, problem: error.message }),
    );
  }, [worker, question, asked, isBusy, latest]);
  return { latest, isBusy };
}
