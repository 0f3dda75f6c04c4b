/** Converts records to messages of protobuf-es, with which the tests compare the records. */

import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import type { AnyMethod, Field, MessageType } from "@x/wire";
import { V4_METHODS } from "@x/wire/v4";
import { V5_METHODS } from "@x/wire/v5";
import { WEB_RISK_METHODS } from "@x/wire/web-risk";
import { readSchemas } from "./oracle/schemas.js";

// biome-ignore lint/suspicious/noExplicitAny: tables of any message
type AnyType = MessageType<any>;

export interface Pair {
  readonly name: string;
  readonly type: AnyType;
  readonly schema: DescMessage;
}

const v5 = readSchemas("v5");
const v4 = readSchemas("v4");
const webRisk = readSchemas("web-risk");

/** The request and the response of each method. */
const SCHEMAS: Readonly<Record<string, readonly (DescMessage | undefined)[]>> = {
  "v5.hashLists.batchGet": [v5.BatchGetHashListsRequest, v5.BatchGetHashListsResponse],
  "v5.hashList.get": [v5.GetHashListRequest, v5.HashList],
  "v5.hashLists.list": [v5.ListHashListsRequest, v5.ListHashListsResponse],
  "v5.hashes.search": [v5.SearchHashesRequest, v5.SearchHashesResponse],
  "v5.urls.search": [v5.SearchUrlsRequest, v5.SearchUrlsResponse],
  "v4.threatListUpdates.fetch": [
    v4.FetchThreatListUpdatesRequest,
    v4.FetchThreatListUpdatesResponse,
  ],
  "v4.fullHashes.find": [v4.FindFullHashesRequest, v4.FindFullHashesResponse],
  "v4.threatMatches.find": [v4.FindThreatMatchesRequest, v4.FindThreatMatchesResponse],
  "v4.threatLists.list": [v4.ListThreatListsRequest, v4.ListThreatListsResponse],
  "webRisk.threatLists.computeDiff": [
    webRisk.ComputeThreatListDiffRequest,
    webRisk.ComputeThreatListDiffResponse,
  ],
  "webRisk.hashes.search": [webRisk.SearchHashesRequest, webRisk.SearchHashesResponse],
  "webRisk.uris.search": [webRisk.SearchUrisRequest, webRisk.SearchUrisResponse],
};

export const METHODS: readonly AnyMethod[] = [...V5_METHODS, ...V4_METHODS, ...WEB_RISK_METHODS];

/** Each message of each method, with its schema for protobuf-es. */
export const PAIRS: readonly Pair[] = METHODS.flatMap(({ name, request, response }) => {
  const [requestSchema, responseSchema] = SCHEMAS[name]!;
  return [
    { name: `${name} request`, type: request, schema: requestSchema! },
    { name: `${name} response`, type: response, schema: responseSchema! },
  ];
});

function theirScalar(field: Field<unknown>, value: unknown, schema: DescMessage | undefined) {
  switch (field.kind) {
    case "int64":
      return BigInt(value as number);
    case "enum":
      return typeof value === "number" ? value : field.names![value as string];
    case "duration":
    case "timestamp": {
      const seconds = Math.floor((value as number) / 1000);
      const nanos = ((value as number) - seconds * 1000) * 1_000_000;
      return create(
        schema!,
        nanos === 0 ? { seconds: BigInt(seconds) } : { seconds: BigInt(seconds), nanos },
      );
    }
    case "message":
      return theirMessage(field.type!, schema!, value);
    default:
      return value;
  }
}

const ZEROS: readonly unknown[] = [0, 0n, "", false];

/** The message of a record, as protobuf-es represents it. */
export function theirMessage(type: AnyType, schema: DescMessage, record: unknown): Message {
  const init: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<Field<unknown>>(type.fields)) {
    const value = (record as Record<string, unknown>)[name];
    const isTime = field.kind === "duration" || field.kind === "timestamp";
    const isEmpty =
      (!isTime && ZEROS.includes(value)) || (value instanceof Uint8Array && value.length === 0);
    if (value === null && !(field.explicit && field.kind === "enum")) continue;
    if (isEmpty && !field.explicit) continue;
    const inner = schema.fields.find(({ localName }) => localName === name)!;
    const made = field.repeated
      ? (value as readonly unknown[]).map((each) => theirScalar(field, each, inner.message))
      : theirScalar(field, value ?? 0, inner.message);
    if (inner.oneof === undefined) init[name] = made;
    else init[inner.oneof.localName] = { case: name, value: made };
  }
  return create(schema, init);
}
