import type { EventEmitter } from "node:events";

/** What the main process asks one that serves, and the other way round. */
export type Question = "start" | "serving" | "readiness" | "metrics" | "search" | "reload" | "stop";

/** How long a search on another server may take, in milliseconds. A client gives its request up after half a minute. */
export const SEARCH = 35_000;

type Message =
  | { readonly ask: Question; readonly id: number; readonly given: unknown }
  | { readonly answer: unknown; readonly id: number };

/** Questions and answers between two processes. */
export interface Messages {
  /**
   * Asks the other process. Returns `undefined` if the other process ends, fails, or does not answer within this many
   * milliseconds.
   */
  ask(question: Question, given: unknown, milliseconds: number): Promise<unknown>;
  /** Answers a question of the other process from now on. */
  onAsked(question: Question, answer: (given: never) => unknown): void;
}

/** The other end of an IPC channel: a child process, or `process` in the child. */
type Channel = EventEmitter & {
  readonly connected: boolean;
  send?(message: unknown, onSent: () => void): boolean;
};

/** Exchanges messages with a process. */
export function exchangeMessages(other: Channel): Messages {
  const answers = new Map<Question, (given: never) => unknown>();
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;

  function send(message: Message): void {
    // The other process may end at any time, which is noticed elsewhere.
    if (other.connected) other.send?.(message, () => {});
  }

  async function answer(question: Question, given: unknown): Promise<unknown> {
    try {
      return await answers.get(question)?.(given as never);
    } catch {
      return undefined;
    }
  }

  other.once("disconnect", () => {
    for (const settle of waiting.values()) settle(undefined);
  });
  other.on("message", async (message: Message) => {
    if ("answer" in message) waiting.get(message.id)?.(message.answer);
    else send({ answer: await answer(message.ask, message.given), id: message.id });
  });
  return {
    ask(question, given, milliseconds) {
      if (!other.connected) return Promise.resolve(undefined);
      const id = ++lastId;
      return new Promise((resolve) => {
        const settle = (answer?: unknown) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(settle, milliseconds);
        waiting.set(id, settle);
        send({ ask: question, id, given });
      });
    },
    onAsked: (question, answer) => void answers.set(question, answer),
  };
}
