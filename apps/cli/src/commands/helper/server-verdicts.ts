import { reasonOf } from "@x/command-line/node";
import { printable, printableInShort } from "@x/explain/printable";
import * as v from "valibot";
import { type HelperVerdict, unreadableReason, type VerdictSource } from "./verdict.ts";

export interface ServerVerdictOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  readonly server: URL;
  /** The API key, if the server needs one. */
  readonly key: string | null;
  /** The maximum time for an answer, in milliseconds. */
  readonly timeout: number;
}

/**
 * The maximum length of an answer. An answer about a thousand URLs is shorter, unless each URL is on hundreds of lists.
 */
const MOST_ANSWER_BYTES = 2 ** 24;

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error("its answer is too long");
  }
  return Buffer.concat(pieces).toString();
}

/** The verdicts in an answer. Newer servers may add members. */
const ANSWER = v.object({
  verdicts: v.array(
    v.union([
      v.object({ error: v.object({ code: v.string() }) }),
      v.object({ listed: v.literal(false) }),
      v.object({
        listed: v.literal(true),
        // The URL is listed even if no match can be read.
        matches: v.fallback(v.array(v.object({ expression: v.string(), list: v.string() })), []),
      }),
    ]),
  ),
});

function verdictOf(answer: v.InferOutput<typeof ANSWER>["verdicts"][number]): HelperVerdict {
  if ("error" in answer) {
    if (answer.error.code === "list-unavailable") {
      return { kind: "unchecked", reason: "a list of the server gives no answer" };
    }
    return { kind: "unreadable", reason: printableInShort(unreadableReason(answer.error.code)) };
  }
  if (!answer.listed) return { kind: "not-listed" };
  const [match] = answer.matches;
  const reason = match === undefined ? "on a list" : `${match.expression} is on ${match.list}`;
  return { kind: "listed", reason: printableInShort(reason) };
}

/**
 * Gives verdicts from a server. If the server does not answer in time, or its answer is not valid, the verdict on each
 * URL is `unchecked`.
 *
 * @param tell writes a line when the server stops answering, when the problem changes, and when the server answers
 * again.
 */
export function serverVerdicts(
  { server, key, timeout }: ServerVerdictOptions,
  tell: (line: string) => void,
): VerdictSource {
  const address = new URL("lookup", server.href.replace(/\/?$/, "/"));
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (key !== null) headers["X-Goog-Api-Key"] = key;
  let problem: string | null = null;

  async function ask(urls: readonly string[]): Promise<HelperVerdict[]> {
    const signal = AbortSignal.timeout(timeout);
    const body = JSON.stringify({ urls });
    const request = { method: "POST", headers, body, signal, redirect: "error" } as const;
    const response = await fetch(address, request);
    const text = await textOf(response);
    if (response.status !== 200) throw new Error(`its status is ${response.status}`);
    const { success, output } = v.safeParse(ANSWER, JSON.parse(text));
    if (!success || output.verdicts.length !== urls.length) {
      throw new Error("its answer is not a list of verdicts");
    }
    return output.verdicts.map(verdictOf);
  }

  return {
    async verdictsOn(urls) {
      try {
        const verdicts = await ask(urls);
        if (problem !== null) tell(`${printable(server.origin)} answers again`);
        problem = null;
        return verdicts;
      } catch (error) {
        const found = problemOf(error);
        if (found !== problem) {
          tell(`${printable(server.origin)}: ${found}: no URLs are checked in the meantime`);
        }
        problem = found;
        const reason = "the list server does not answer";
        return urls.map(() => ({ kind: "unchecked", reason }));
      }
    },
    close() {},
  };
}

/** Describes an error in one clause. When a connection fails, Node puts the reason into `cause`. */
function problemOf(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === "TimeoutError") return "no answer in time";
  if (error instanceof SyntaxError) return "its answer is not JSON";
  return printable(reasonOf(cause ?? error));
}
