import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClientError, type ClientErrorCode } from "../src/error.ts";
import {
  afterAnswer,
  afterFailure,
  afterLoad,
  afterSetBack,
  afterStart,
  type ClientState,
  due,
  dueNames,
  failureCount,
  isDue,
  type ListState,
  lastFailure,
  newState,
} from "../src/lists/state.ts";
import { decodeState, encodeState } from "../src/lists/stored-form.ts";
import type { ListOutcome } from "../src/protocols/protocol.ts";
import { MINUTE, START } from "./support/set-up.ts";
import histories from "./vectors/update-histories.json" with { type: "json" };

/* What follows from histories of answers, failures, clocks and restarts, without a server, a storage or a timer. */

/** One event of a history. */
interface Event {
  /** The outcome for each list of an answer: `new`, `unchanged`, `damaged`, or `failed` and an error code. */
  readonly answer?: Readonly<Record<string, string>>;
  readonly wait?: number | null;
  /** How long the request took. */
  readonly took?: number;
  readonly failure?: string;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly random?: number;
  /** The clock moves, and nobody tells the client. */
  readonly pass?: number;
  /** The clock was set back, and the client has seen it. */
  readonly setBack?: number;
  readonly start?: number;
  readonly restart?: boolean;
  /** The lists that the storage has lost. */
  readonly lost?: readonly string[];
  readonly isFollowing?: boolean;
}

interface Expected {
  readonly due?: number | null;
  readonly isDue?: boolean;
  readonly dueLists?: readonly string[];
  readonly failures?: number;
  readonly lastFailure?: string | null;
  readonly problems?: readonly (string | null)[];
  readonly errors?: readonly (string | null)[];
  readonly checked?: readonly (number | null)[];
  readonly tokens?: readonly string[];
}

const NAMES = ["a", "b"];
const ORIGIN = { protocol: "v5", server: "https://lists.example/" };
const textOf = (bytes: Uint8Array | null) =>
  bytes === null ? null : new TextDecoder().decode(bytes);

const errorOf = (code: string, facts: Event = {}) =>
  new ClientError(code as ClientErrorCode, code, {
    status: facts.status,
    retryAfter: facts.retryAfter === undefined ? null : facts.retryAfter * MINUTE,
  });

/** A new version has the number of lists that there were as its token. */
function outcomeOf(name: string, text: string, before: ListState): ListOutcome {
  const [kind, code] = text.split(" ");
  const version = Number(textOf(before.token)?.slice(1) || 0);
  const token = (number: number) => new TextEncoder().encode(`${name}${number}`);
  if (kind === "new") {
    const next = before.list === null ? 1 : version + (version === 0 ? 2 : 1);
    const list = prefixList([fullHash(`${name}${next}`)], { name, created: 0 });
    return { kind, name, token: token(next), list, added: 1, removed: 0, bytes: 4 };
  }
  if (kind === "unchanged") return { kind, name, token: token(version) };
  if (kind === "damaged") return { kind, name, error: errorOf("list-damaged") };
  return { kind: "failed", name, error: errorOf(code!) };
}

/** The state of a client that reads what another one has stored. */
function restarted(before: ClientState, { lost = [], isFollowing = false }: Event): ClientState {
  const stored = decodeState(encodeState(before, ORIGIN, new Map()))!;
  const fresh = newState(NAMES);
  const lists = [...fresh.lists].map(([name, list]) => {
    const { token, list: kept, problem } = before.lists.get(name)!;
    if (kept === null || lost.includes(name)) return [name, list] as const;
    const checkedAt = stored.lists.get(name)!.checkedAt;
    return [name, { ...list, token, list: kept, problem, checkedAt }] as const;
  });
  return afterLoad({ ...fresh, lists: new Map(lists) }, stored, "lists.example", isFollowing);
}

describe.each(histories.cases as readonly { name: string; events: unknown }[])(
  "$name",
  (history) => {
    test("the times are right after each event", () => {
      let state = newState(NAMES);
      let now = START;
      const events = history.events as readonly { event: Event; expected: Expected }[];
      for (const [i, { event, expected }] of events.entries()) {
        const { random = 0.5, wait = 30, took = 0 } = event;
        if (event.answer !== undefined) {
          const sent = now - took * MINUTE;
          const outcomes = Object.entries(event.answer).map(([name, text]) =>
            outcomeOf(name, text, state.lists.get(name)!),
          );
          const asked = wait === null ? null : wait * MINUTE;
          state = afterAnswer(state, { outcomes, wait: asked }, { sent, now, random });
        } else if (event.failure !== undefined) {
          state = afterFailure(state, errorOf(event.failure, event), now, random);
        } else if (event.setBack !== undefined) {
          now -= event.setBack * MINUTE;
          state = afterSetBack(state, event.setBack * MINUTE);
        } else if (event.start !== undefined) {
          state = afterStart(state, now, event.start);
        } else if (event.restart) {
          state = restarted(state, event);
        } else {
          now += event.pass! * MINUTE;
        }
        const lists = [...state.lists.values()];
        const minutes = (time: number | null) =>
          time === null ? null : Math.round((time - now) / 60) / 1000;
        const found: Required<Expected> = {
          due: minutes(due(state, now)),
          isDue: isDue(state, now),
          dueLists: [...dueNames(state, now)],
          failures: failureCount(state),
          lastFailure: lastFailure(state)?.code ?? null,
          problems: lists.map(({ problem }) => problem),
          errors: lists.map(({ error }) => error?.code ?? null),
          checked: lists.map(({ checkedAt }) => minutes(checkedAt)),
          tokens: lists.map(({ token }) => textOf(token) ?? ""),
        };
        expect(found, `event ${i + 1}`).toMatchObject(expected);
      }
    });
  },
);

describe("what is stored", () => {
  const stateOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const rows = fc.array(fc.array(fc.jsonValue(), { maxLength: 5 }), { maxLength: 3 });
  const part = fc.oneof(
    fc.jsonValue(),
    rows,
    fc.constantFrom<unknown>(-1, 2 ** 60, "1", "__proto__", { toString: [] }),
  );

  test("is read without an error, whatever it is, and times are times", () => {
    const record = fc.record(
      {
        ...{ protocol: part, server: part, wait: part, pausedUntil: part, failures: part },
        ...{ lists: part, seen: part, turns: part },
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), record.map(stateOf)), (bytes) => {
        const stored = decodeState(bytes);
        if (stored === null) return;
        const state = afterLoad(newState(NAMES), stored, "lists.example", false);
        const next = due(state, START);
        expect(next === null || Number.isFinite(next)).toBe(true);
        expect(Number.isSafeInteger(failureCount(state))).toBe(true);
        expect(state.wait).toBeGreaterThanOrEqual(MINUTE);
        expect(state.wait).toBeLessThanOrEqual(24 * 60 * MINUTE);
      }),
      { numRuns: sampleSize(4000) },
    );
  });

  test("a token counts only if it is whole", () => {
    const hashOf = (text: string) => toHex(fullHash(text));
    const seen = [
      ["a", "00ff", hashOf("00ff")],
      ["b", "00ff", hashOf("00fe")],
      ["c", "zz", hashOf("zz")],
      ["d", "00f", hashOf("00f")],
    ];
    expect([...decodeState(stateOf({ seen }))!.seen]).toEqual([["a", Uint8Array.of(0, 255)]]);
  });

  test("a pause that would never end ends after a day", () => {
    const turns = NAMES.map((name) => [name, 2 ** 52, 1, false]);
    const stored = decodeState(stateOf({ failures: 1, pausedUntil: 2 ** 52, turns }))!;
    const state = afterLoad(newState(NAMES), stored, "lists.example", false);
    expect(isDue(state, START)).toBe(true);
  });
});
