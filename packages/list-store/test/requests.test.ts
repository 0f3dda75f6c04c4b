import { httpStorage } from "@x/list-store/http";
import { exchange } from "@x/list-store/transport";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** A host that answers by hand, and may ignore the signal of a request. */
function slowHost() {
  let resolve!: (response: Response) => void;
  const answer = new Promise<Response>((settle) => {
    resolve = settle;
  });
  let body!: ReadableStreamDefaultController<Uint8Array>;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      body = controller;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return {
    fetch: () => answer,
    sendHeaders: (status = 200) => resolve(new Response(stream, { status })),
    send: (length: number) => body.enqueue(new Uint8Array(length)),
    end: () => body.close(),
    get isCancelled() {
      return isCancelled;
    },
  };
}

/** The state of an exchange after each step: `null` while it runs, then its answer or its error. */
function watch(running: Promise<unknown>) {
  let ended: unknown = null;
  running.then(
    (answer) => {
      ended = answer;
    },
    (error) => {
      ended = error;
    },
  );
  return async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return ended;
  };
}

const LIMITS = { timeout: 1000, most: 2 ** 20 };
const STALLED = expect.objectContaining({ message: expect.stringContaining("in 1 s") });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("an exchange", () => {
  test("is given up when a host does not answer, although fetch ignores the signal", async () => {
    const after = watch(exchange(slowHost().fetch, "https://a.test/", {}, LIMITS));
    expect(await after(999)).toBe(null);
    expect(await after(1)).toEqual(STALLED);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("may take any time while 64 kB arrive in each timeout", async () => {
    const host = slowHost();
    const received: number[] = [];
    const limits = { ...LIMITS, onReceived: (bytes: number) => void received.push(bytes) };
    const statuses: number[] = [];
    const onStatus = (status: number) => void statuses.push(status);
    const after = watch(exchange(host.fetch, "https://a.test/", {}, { ...limits, onStatus }));
    await after(900);
    expect(statuses).toEqual([]);
    host.sendHeaders();
    for (let i = 0; i < 3; i++) {
      expect(await after(900)).toBe(null);
      host.send(2 ** 16);
    }
    await after(900);
    host.send(2 ** 16 - 1);
    expect(await after(100)).toEqual(STALLED);
    expect(statuses).toEqual([200]);
    expect(received).toEqual([2 ** 16, 2 ** 16, 2 ** 16, 2 ** 16 - 1]);
  });

  test("that is short has one timeout, whatever arrives", async () => {
    const host = slowHost();
    const after = watch(exchange(host.fetch, "https://a.test/", {}, { ...LIMITS, isShort: true }));
    await after(500);
    host.sendHeaders();
    host.send(2 ** 17);
    expect(await after(499)).toBe(null);
    expect(await after(1)).toEqual(STALLED);
  });

  test("has more time for a body that it sends", async () => {
    const after = watch(
      exchange(slowHost().fetch, "https://a.test/", {}, { ...LIMITS, uploadTime: 70 }),
    );
    expect(await after(1069)).toBe(null);
    expect(await after(1)).toEqual(STALLED);
  });

  test.each([
    ["a whole answer", 200, 10, 10],
    ["nothing of an answer that is too long", 200, 11, null],
    ["the beginning of an error", 503, 11, 10],
  ])("reads %s", async (_, status, length, kept) => {
    const host = slowHost();
    const limits = { ...LIMITS, most: 10, mostOfErrors: 10 };
    const after = watch(exchange(host.fetch, "https://a.test/", {}, limits));
    host.sendHeaders(status);
    host.send(7);
    host.send(length - 7);
    await after(0);
    if (kept === length) host.end();
    const answer = (await after(0)) as Awaited<ReturnType<typeof exchange>>;
    expect([answer.status, answer.bytes?.length ?? null]).toEqual([status, kept]);
    expect(host.isCancelled).toBe(kept !== length);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not wait for the body of an error that is not read", async () => {
    const host = slowHost();
    const after = watch(
      exchange(host.fetch, "https://a.test/", {}, { ...LIMITS, mostOfErrors: 0 }),
    );
    host.sendHeaders(503);
    expect(await after(0)).toMatchObject({ status: 503, bytes: new Uint8Array() });
    expect(host.isCancelled).toBe(true);
  });

  test("ends with the reason of its signal, and sends nothing after that", async () => {
    const controller = new AbortController();
    const limits = { ...LIMITS, signal: controller.signal };
    const after = watch(exchange(slowHost().fetch, "https://a.test/", {}, limits));
    await after(10);
    controller.abort("enough");
    expect(await after(0)).toBe("enough");
    const fetch = vi.fn<typeof globalThis.fetch>();
    await expect(exchange(fetch, "https://a.test/", {}, limits)).rejects.toBe("enough");
    expect(fetch).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a pause between two attempts", () => {
  const pausing = (signal?: AbortSignal) => {
    const fetch = vi.fn(async () => new Response("", { status: 503 }));
    const options = { fetch, signal, retries: 1, random: () => 0 };
    const after = watch(httpStorage("https://a.test/", options).get("lists/m/head"));
    return { fetch, after };
  };

  test("ends after its time, and leaves no timer", async () => {
    const { fetch, after } = pausing();
    expect(await after(99)).toBe(null);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(await after(1)).toMatchObject({ code: "unreachable" });
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends with the reason of the signal", async () => {
    const controller = new AbortController();
    const { fetch, after } = pausing(controller.signal);
    await after(50);
    controller.abort("enough");
    expect(await after(0)).toBe("enough");
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
