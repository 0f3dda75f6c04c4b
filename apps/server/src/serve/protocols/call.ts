import type { AnyMethod, MessageInput, RequestOf, ResponseOf } from "@x/wire";
import type { Answering, MethodCaller } from "../answering.ts";
import { checkOpen } from "../api-keys.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { decideUpdate, type Update, type UpdateAsked } from "../updates/decide-update.ts";

/** The facts about an update that the log and the metrics may contain. */
export interface UpdateFacts {
  readonly list: string;
  readonly kind: Update["kind"];
  /** Why the update is full; `null` for other updates. */
  readonly reason: Extract<Update, { kind: "full" }>["reason"] | null;
  /** The token that the difference starts from; `null` if the update is not partial. */
  readonly from: string | null;
  /** The token that the client gets; `null` when the client already has it. */
  readonly given: string | null;
}

/** The facts about a search that the log and the metrics may contain. */
interface SearchFacts {
  /** How many hashes or URLs were requested. */
  readonly asked: number;
  readonly found: number;
}

/** The facts about an answer that caches, the log and the metrics need. */
export interface CallFacts {
  /** Whether the answer is only for clients with the key of a private list. */
  readonly isPrivate: boolean;
  /**
   * When caches must drop the answer, in milliseconds since 1970; `null` if only the server's own settings limit how
   * long they keep it.
   */
  readonly expires: number | null;
  readonly updates: readonly UpdateFacts[];
  readonly search: SearchFacts | null;
}

export interface Answered<Message> {
  readonly message: MessageInput<Message>;
  readonly facts: CallFacts;
}

/** Answers calls to one of the protocols' methods. */
export type Call<M extends AnyMethod> = (
  asked: RequestOf<M>,
  caller: MethodCaller,
  answering: Answering,
) => Promise<Answered<ResponseOf<M>>>;

const NO_UPDATES: readonly UpdateFacts[] = [];

/** The lists that an answer was made from, with the facts about it. */
interface Sources extends Partial<Omit<CallFacts, "isPrivate">> {
  /** The lists that were searched. Updated lists are named in the facts of the updates. */
  readonly lists?: readonly ServedList[];
}

const NO_LISTS: readonly ServedList[] = [];

/** An answer with its facts. The answer is private if one of its lists is private. */
export function answered<Message>(
  { keys }: Pick<Answering, "keys">,
  message: MessageInput<Message>,
  { lists = NO_LISTS, updates = NO_UPDATES, search = null, expires = null }: Sources,
): Answered<Message> {
  const isPrivate =
    keys.lists.size > 0 &&
    (lists.some(({ name }) => keys.isPrivate(name)) ||
      updates.some(({ list }) => keys.isPrivate(list)));
  return { message, facts: { isPrivate, expires, updates, search } };
}

/** The update of one list for a client, with the facts about it. */
export async function updateOf(
  served: ServedList,
  asked: UpdateAsked,
  caller: MethodCaller,
  answering: Answering,
): Promise<{ readonly update: Update; readonly facts: UpdateFacts }> {
  checkOpen(answering, served, caller.key);
  const update = await decideUpdate(served, asked, caller, answering.codedUpdates);
  const facts = {
    list: served.name,
    kind: update.kind,
    reason: update.kind === "full" ? update.reason : null,
    from: update.kind === "partial" ? update.from : null,
    given: update.kind === "none" ? null : Buffer.from(update.token).toString("latin1"),
  };
  return { update, facts };
}

/** The bytes of a hash, as a map key. */
export const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString("latin1");

/**
 * The time this many milliseconds from now, or `until` if that is sooner. Caches may keep the answer for at most half
 * as long. Otherwise, the time in a cached answer could be in the past, and clients would ask again without a pause.
 */
export function timeIn(
  milliseconds: number,
  { now, cache }: Pick<Answering, "now" | "cache">,
  until: number = Infinity,
): { readonly time: number; readonly expires: number } {
  const start = now();
  if (until < start + milliseconds) return timeIn(Math.max(0, until - start), { now, cache });
  return { time: start + milliseconds, expires: start + Math.min(cache, milliseconds / 2) };
}

/**
 * How long clients may keep an answer that is valid until a given time, in milliseconds: at most as long as the
 * server's own setting, and at most half of the time left. Caches may keep the answer for the same time, so that a
 * client that gets a cached answer does not keep it for too long.
 */
export function durationUntil(
  until: number,
  { now, cache }: Answering,
): { readonly duration: number; readonly expires: number | null } {
  if (until === Infinity) return { duration: cache, expires: null };
  const start = now();
  const duration = Math.floor(Math.min(cache, Math.max(0, until - start) / 2));
  return { duration, expires: start + duration };
}
