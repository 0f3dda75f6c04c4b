/** The memory for answers that were sent, over any protocol, but have not been read by their clients yet. */
export interface UnreadAnswers {
  /** How many bytes are taken. */
  readonly bytes: number;
  /**
   * Takes memory for an answer; `null` when there is none for it. `drop` is called when the answer has to make room for
   * another one: it must end the answer.
   */
  take(client: string, bytes: number, drop: () => void): UnreadAnswer | null;
}

/** The memory of one answer. */
export interface UnreadAnswer {
  /** Call this when the client has read some of it. */
  progressed(): void;
  /** Call this once when the answer has ended in any way. */
  end(): void;
}

export interface UnreadOptions {
  /** The maximum number of bytes in all answers together. */
  readonly most?: number;
  readonly now?: () => number;
}

const MOST = 64 * 2 ** 20;
/** How long a client may read nothing before its answer may have to make room, in milliseconds. */
const STALLED = 5000;

interface Held {
  readonly client: string;
  readonly bytes: number;
  readonly drop: () => void;
  /** When the client last read some of it. */
  readAt: number;
}

/**
 * One budget for all answers. When it is used up, the client that holds the most of it loses the answer that it read
 * least recently. But if no client holds more than the one that asks would hold, only an answer that nobody has read
 * from for five seconds makes room. So a client that reads, however slowly, keeps its answer while others hold more
 * without reading, and no number of requests can make it lose the answer.
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
    if (answers.delete(answer)) add(answer.client, -answer.bytes);
  }

  /** The answer to drop for a client that would then hold `own` bytes; `null` when none has to make room. */
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
    take(client, wanted, drop) {
      if (!makeRoom(client, wanted)) return null;
      const answer = { client, bytes: wanted, drop, readAt: now() };
      answers.add(answer);
      add(client, wanted);
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
