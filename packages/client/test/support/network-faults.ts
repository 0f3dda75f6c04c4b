import { fromHex } from "@x/sha256-prefix";

export interface FaultWorld {
  readonly random: () => number;
  readonly init: RequestInit;
  /** Answers that were given before. */
  readonly earlier: readonly Response[];
  /** The checksums of the lists, in hexadecimal. */
  readonly checksums: readonly string[];
  readonly pause: () => Promise<void>;
}

type Answer = () => Promise<Response>;
/** Turns an answer into a faulty one. */
export type Fault = (answer: Answer, world: FaultWorld) => Response | Promise<Response>;

async function changed(
  answer: Answer,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const response = await answer();
  const bytes = change(new Uint8Array(await response.arrayBuffer()));
  return new Response(bytes, { status: response.status, headers: response.headers });
}

/** Rejects when the signal is aborted. If nobody waits for the promise any more, the rejection does no harm. */
function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal?.aborted) reject(signal.reason);
  });
  aborted.catch(() => {});
  return aborted;
}

/** An answer whose body comes in pieces. */
async function inPieces(
  answer: Answer,
  cut: (bytes: Uint8Array) => AsyncGenerator<Uint8Array>,
): Promise<Response> {
  const response = await answer();
  const pieces = cut(new Uint8Array(await response.arrayBuffer()));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Faults of connections and servers. None of them gives a false answer that looks valid. */
export const BREAKING: Readonly<Record<string, Fault>> = {
  unreachable: () => Promise.reject(new TypeError("fetch failed")),
  "too many requests": () => new Response("slow down", { status: 429 }),
  "internal error": () => new Response(null, { status: 500 }),
  busy: () => new Response(null, { status: 503, headers: { "retry-after": "120" } }),
  forbidden: () => new Response("{}", { status: 403 }),
  "a web page": () =>
    new Response("<!doctype html><title>Log in</title>", {
      headers: { "content-type": "text/html" },
    }),
  nothing: () => new Response(new Uint8Array(0)),
  hanging: (_, { init }) => untilAborted(init.signal),
  "a gigabyte": (_, { init }) => {
    const piece = new Uint8Array(2 ** 23);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        init.signal?.throwIfAborted();
        controller.enqueue(piece);
        sent += piece.length;
        if (sent >= 2 ** 30) controller.close();
      },
    });
    return new Response(body);
  },
  "cut off": (answer, { random }) =>
    inPieces(answer, async function* (bytes) {
      yield bytes.slice(0, Math.floor(random() * bytes.length));
      throw new TypeError("terminated");
    }),
  stalled: (answer, { init }) =>
    inPieces(answer, async function* (bytes) {
      yield bytes.slice(0, 1);
      yield await untilAborted(init.signal);
    }),
  slow: (answer, { init, pause }) =>
    inPieces(answer, async function* (bytes) {
      const aborted = untilAborted(init.signal);
      for (let at = 0; at < bytes.length; at += 50) {
        await Promise.race([pause(), aborted]);
        yield bytes.slice(at, at + 50);
      }
    }),
};

/**
 * Faults that only a signature or a checksum shows, or that cannot be recognized. These faults make sense only for
 * updates.
 */
export const LYING: Readonly<Record<string, Fault>> = {
  "a truncated answer": (answer, { random }) =>
    changed(answer, (bytes) => bytes.slice(0, Math.floor(random() * bytes.length))),
  "a changed byte": (answer, { random }) =>
    changed(answer, (bytes) => {
      const at = Math.floor(random() * bytes.length);
      if (bytes.length > 0) bytes[at]! ^= 1 << Math.floor(random() * 8);
      return bytes;
    }),
  "a wrong checksum": (answer, { checksums }) =>
    changed(answer, (bytes) => {
      for (const checksum of checksums.map((text) => Buffer.from(fromHex(text)))) {
        for (const form of [checksum, checksum.toString("base64"), checksum.toString("hex")]) {
          const at = Buffer.from(bytes).indexOf(form);
          // The first byte becomes another letter, so that the text is still a checksum.
          if (at >= 0) bytes[at] = bytes[at] === 0x41 ? 0x42 : 0x41;
        }
      }
      return bytes;
    }),
  "an earlier answer": (answer, { earlier, random }) =>
    earlier[Math.floor(random() * earlier.length)]?.clone() ?? answer(),
};
