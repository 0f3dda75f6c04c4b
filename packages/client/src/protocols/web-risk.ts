import { findThreatList, readResponse } from "@x/wire";
import { computeThreatListDiff, searchHashes, type ThreatType } from "@x/wire/web-risk";
import { ClientError, listNameInvalid, listUnknown } from "../error.ts";
import {
  appliedOutcome,
  callsWith,
  type KeptList,
  type ListOutcome,
  type Protocol,
  type ProtocolContext,
} from "./protocol.ts";
import { isEmptyAfter, updateOneByOne } from "./update-lists.ts";

const call = callsWith(readResponse);

async function updateList(
  kept: KeptList,
  context: ProtocolContext,
  signal: AbortSignal,
): Promise<{ outcome: ListOutcome; wait: number | null }> {
  const request = {
    threatType: kept.name as ThreatType,
    versionToken: kept.token ?? new Uint8Array(0),
    constraints: {
      supportedCompressions: ["RAW", "RICE"],
    },
  } as const;
  const message = await call(computeThreatListDiff, request, "update", context, signal);
  const update = { protocol: "web-risk", message } as const;
  const outcome = await appliedOutcome(kept, update, message.newVersionToken, context, signal);
  const next = message.recommendedNextDiff;
  const wait = next === null ? null : Math.max(next - context.now(), 0);
  // Web Risk has no method for the names of lists. Servers answer requests for a list that they do not have with an
  // empty one without a version.
  const hasNoVersion = message.newVersionToken.length === 0;
  if (hasNoVersion && isEmptyAfter(outcome, kept)) {
    const error = listUnknown(kept.name, context.server.host, "");
    return { outcome: { kind: "failed", name: kept.name, error }, wait };
  }
  return { outcome, wait };
}

/** Web Risk v1, which needs one request for each list and one for each prefix of a search. */
export const WEB_RISK: Protocol = {
  maxPrefixes: 1,

  describe(name) {
    const row = findThreatList({ webRisk: name as ThreatType });
    if (row === null) throw listNameInvalid(name, "a list of Web Risk, such as MALWARE");
    return { use: "threats", threatType: name };
  },

  update: (kept, context, signal) =>
    updateOneByOne(kept, signal, (list) => updateList(list, context, signal)),

  async search([hashPrefix], lists, context, signal) {
    const asked = lists().map(({ name }) => name as ThreatType);
    const request = { hashPrefix: hashPrefix!, threatTypes: asked };
    const answer = await call(searchHashes, request, "search", context, signal);
    // A threat with only other types cannot be left out: the hash is on some list, and only our lists were searched.
    if (answer.threats.some((threat) => !threat.threatTypes.some((type) => asked.includes(type)))) {
      const message = "The server's answer has a threat without any of the requested types";
      throw new ClientError("answer-wrong", message);
    }
    const now = context.now();
    const until = (time: number | null) => Math.max((time ?? now) - now, 0);
    return {
      hashes: answer.threats.map(({ hash, threatTypes, expireTime }) => ({
        hash: hash.slice(),
        threats: threatTypes.map((threatType) => ({ threatType, isForFrames: false })),
        duration: until(expireTime),
      })),
      duration: answer.negativeExpireTime === null ? null : until(answer.negativeExpireTime),
      wait: null,
    };
  },
};
