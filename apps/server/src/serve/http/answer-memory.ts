/** The memory for answers that were sent, over any protocol, but have not been read by their clients yet. */
export interface UnreadAnswers {
  /** The number of bytes in use. */
  readonly bytes: number;
  /**
   * Takes memory for an answer. Returns `null` if there is not enough. `drop` must end the answer, and is called when
   * the answer has to make room for another one or its client reads too slowly.
   */
  take(client: string, size: AnswerSize, drop: () => void): UnreadAnswer | null;
}

/** The size of an answer, in bytes. */
interface AnswerSize {
  /** The length of the answer as sent. */
  readonly length: number;
  /** The memory that the answer takes until its client has read it. */
  readonly held: number;
}

/** The memory of one answer. */
interface UnreadAnswer {
  /** Call this when the client has read some of the answer. */
  progressed(): void;
  /** Call this once when the answer has ended in any way. */
  end(): void;
}

interface UnreadOptions {
  /** The maximum number of bytes in all answers together. */
  readonly most?: number;
  readonly now?: () => number;
}

const MOST = 64 * 2 ** 20;
/** How long a client may read nothing before its answer may have to make room, in milliseconds. */
const STALLED = 5000;
/** How long any client may take to read an answer, in milliseconds. The length of the answer adds more time. */
const GRACE = 60_000;
/** The speed at which the length of an answer adds time, in bytes per millisecond. */
const MIN_SPEED = 16;

interface Held {
  readonly client: string;
  readonly bytes: number;
  readonly drop: () => void;
  /** Ends the answer if its client reads too slowly: an unfinished answer keeps its list in memory. */
  readonly deadline: NodeJS.Timeout;
  /** When the client last read some of the answer. */
  readAt: number;
}

/**
 * One budget for all answers. When the budget is used up, the client that holds the most memory loses the answer that
 * it read least recently. But if no client holds more than the requesting client would hold, only an answer that its
 * client has not read for five seconds makes room. So a client that keeps reading keeps its answer while others hold
 * more, however many requests they send.
 */
export function unreadAnswers({
  most = MOST,
  now = () => performance.now(),
}: UnreadOptions = {}): UnreadAnswers {
  /** The answer that was read least recently comes first. */
  const answers = new Set<Held>();
  const byClient = new Map<string, number>();
  let bytes = 0;

  function add(client: string, more: number): void {
    bytes += more;
    const total = (byClient.get(client) ?? 0) + more;
    if (total > 0) byClient.set(client, total);
    else byClient.delete(client);
  }

  function end(answer: Held): void {
    if (!answers.delete(answer)) return;
    clearTimeout(answer.deadline);
    add(answer.client, -answer.bytes);
  }

  /** The answer to drop for a client that would then hold `own` bytes; `null` if none may be dropped. */
  function nextToDrop(client: string, own: number): Held | null {
    const highest = Math.max(...byClient.values());
    for (const answer of answers) {
      const held = byClient.get(answer.client)!;
      if (highest > own) {
        if (held === highest) return answer;
      } else if (answer.client === client || held >= own) {
        return now() - answer.readAt >= STALLED ? answer : null;
      }
    }
    return null;
  }

  function makeRoom(client: string, wanted: number): boolean {
    while (bytes > 0 && bytes + wanted > most) {
      const answer = nextToDrop(client, (byClient.get(client) ?? 0) + wanted);
      if (answer === null) return false;
      end(answer);
      answer.drop();
    }
    return true;
  }

  return {
    get bytes() {
      return bytes;
    },
    take(client, { length, held }, drop) {
      if (!makeRoom(client, held)) return null;
      const deadline = setTimeout(drop, GRACE + length / MIN_SPEED).unref();
      const answer = { client, bytes: held, drop, deadline, readAt: now() };
      answers.add(answer);
      add(client, held);
      return {
        progressed() {
          if (!answers.delete(answer)) return;
          answer.readAt = now();
          answers.add(answer);
        },
        end: () => end(answer),
      };
    },
  };
}
