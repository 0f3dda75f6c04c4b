import { THREAT_LISTS, type ThreatList } from "@x/wire";
import { ClientError, listUnknown } from "../error.ts";
import {
  type KeptList,
  type ListOutcome,
  type Protocol,
  type ProtocolContext,
  type ServerLists,
  shortestWait,
  type UpdateAnswer,
} from "./protocol.ts";

/** HTTP statuses with which servers answer requests for lists that they do not have, or no longer have. */
const NO_SUCH_LIST: readonly (number | null)[] = [400, 404, 410];
/** The status with which servers answer a request if they cannot give out one of its lists now. */
const UNAVAILABLE = 503;

type ServerWithNames = Required<Pick<Protocol, "update" | "serverLists">>;

/**
 * Brings lists up to date as the protocol does, and reports lists that the server does not have as `list-unknown`.
 *
 * Many servers answer with an empty list if they do not know its name, because browsers rely on that answer. So a list
 * that is empty counts only if the server names it. Other servers refuse the whole request. In that case, the known
 * lists are requested again without the unknown ones. If the server says that something is not available, but names its
 * lists, those of them that the client wants are requested one by one.
 */
export async function updateLists(
  { update, serverLists }: Pick<Protocol, "update" | "serverLists">,
  kept: readonly KeptList[],
  context: ProtocolContext,
  signal: AbortSignal,
): Promise<UpdateAnswer> {
  if (serverLists === undefined) return update(kept, context, signal);
  const server = { update, serverLists };
  const answer = await update(kept, context, signal).catch((error) =>
    updateWithoutUnknown(server, kept, error, context, signal),
  );
  const isEmpty = (outcome: ListOutcome, i: number) => isEmptyAfter(outcome, kept[i]!);
  if (!answer.outcomes.some(isEmpty)) return answer;
  const lists = await serverLists(context, signal).catch((error) => {
    signal.throwIfAborted();
    if (error instanceof ClientError) return error;
    throw error;
  });
  const outcomes = answer.outcomes.map((outcome, i): ListOutcome => {
    const { name } = outcome;
    if (!isEmpty(outcome, i)) return outcome;
    if (lists instanceof ClientError) return { kind: "failed", name, error: lists };
    return lists.has(name) ? outcome : unknownOutcome(name, lists, context);
  });
  return { ...answer, outcomes };
}

/** Whether a list is empty after an update, as the server says. */
export function isEmptyAfter(outcome: ListOutcome, before: KeptList): boolean {
  if (outcome.kind === "new") return outcome.list.size === 0;
  return outcome.kind === "unchanged" && before.list?.size === 0;
}

/**
 * Requests those lists again that the server says it has, after a request for all of them has failed.
 *
 * @throws the error of that request, when it says nothing about a single list.
 */
async function updateWithoutUnknown(
  { update, serverLists }: ServerWithNames,
  kept: readonly KeptList[],
  error: unknown,
  context: ProtocolContext,
  signal: AbortSignal,
): Promise<UpdateAnswer> {
  if (!(error instanceof ClientError)) throw error;
  const isUnavailable = error.status === UNAVAILABLE && kept.length > 1;
  if (!isUnavailable && !NO_SUCH_LIST.includes(error.status)) throw error;
  const lists = await serverLists(context, signal).catch(() => null);
  signal.throwIfAborted();
  if (lists === null) throw error;
  const known = kept.filter(({ name }) => lists.has(name));
  if (known.length === kept.length && !isUnavailable) throw error;
  let rest: UpdateAnswer = { outcomes: [], wait: null };
  if (isUnavailable) {
    rest = await updateOneByOne(known, signal, async (list) => {
      const { outcomes, wait } = await update([list], context, signal);
      return { outcome: outcomes[0]!, wait };
    });
  } else if (known.length > 0) {
    rest = await update(known, context, signal);
  }
  const byName = new Map(rest.outcomes.map((outcome) => [outcome.name, outcome]));
  const outcomes = kept.map(({ name }) => byName.get(name) ?? unknownOutcome(name, lists, context));
  return { ...rest, outcomes };
}

function unknownOutcome(
  name: string,
  lists: ServerLists,
  { server }: ProtocolContext,
): ListOutcome {
  return { kind: "failed", name, error: listUnknown(name, server.host, hintFor(name, lists)) };
}

/** The maximum number of list names in a message. */
const MAX_SHOWN = 10;
/** Matches the names that a message may contain. The check is needed because the server chooses the names. */
const SHOWN_NAME = /^[\w./-]{1,100}$/;

const namesOf = ({ name, v5, v4, webRisk }: ThreatList): readonly (string | null)[] => [
  name,
  v5,
  webRisk,
  ...v4,
];

/** A hint for an unknown name: the list that has this name in another protocol, or else the lists of the server. */
function hintFor(name: string, lists: ServerLists): string {
  const names = lists.names.filter((each) => SHOWN_NAME.test(each));
  const typeOf = (each: string) => each.split("/")[0]!;
  const row = THREAT_LISTS.find((each) => namesOf(each).includes(typeOf(name)));
  const meant = row && names.find((each) => namesOf(row).includes(typeOf(each)));
  if (meant !== undefined) return ` (did you mean ${meant}?)`;
  const shown = names.slice(0, MAX_SHOWN);
  if (shown.length === 0) return "";
  const more = names.length - shown.length;
  return ` (it has ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

/**
 * Updates lists one by one. A problem with one list says nothing about the others, so all lists are tried. If all of
 * them fail, throws the error of the first, unless the server has answered that it does not have one of them.
 */
export async function updateOneByOne(
  kept: readonly KeptList[],
  signal: AbortSignal,
  update: (list: KeptList) => Promise<{ outcome: ListOutcome; wait: number | null }>,
): Promise<UpdateAnswer> {
  const outcomes: ListOutcome[] = [];
  const waits: (number | null)[] = [];
  for (const list of kept) {
    try {
      const { outcome, wait } = await update(list);
      outcomes.push(outcome);
      waits.push(wait);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ClientError)) throw error;
      outcomes.push({ kind: "failed", name: list.name, error });
    }
  }
  const [first] = outcomes;
  const isFailure = (each: ListOutcome) =>
    each.kind === "failed" && each.error.code !== "list-unknown";
  if (first?.kind === "failed" && outcomes.every(isFailure)) throw first.error;
  return { outcomes, wait: shortestWait(waits) };
}
