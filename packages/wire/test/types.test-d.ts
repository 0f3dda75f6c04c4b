import type { PrefixList } from "@x/prefix-list";
import {
  applyUpdate,
  type BodyPart,
  decodeJson,
  decodeMessage,
  encodeJson,
  encodeMessage,
  findThreatList,
  fullUpdate,
  type ListUpdate,
  type MessageType,
  partialUpdate,
  readRequest,
  readResponse,
  THREAT_LISTS,
  type ThreatList,
  writeRequest,
  writeResponse,
  writeResponseParts,
} from "@x/wire";
import {
  type FindFullHashesRequest,
  findFullHashes,
  type ListUpdateResponse,
  toListUpdateResponse,
  V4_METHODS,
} from "@x/wire/v4";
import {
  fromHashList,
  type HashList,
  type HashListFacts,
  type SearchHashesRequest,
  type SearchHashesResponse,
  type SearchUrlsResponse,
  searchHashes,
  searchUrls,
  toHashList,
  V5_METHODS,
} from "@x/wire/v5";
import {
  type ComputeThreatListDiffResponse,
  fromThreatListDiff,
  type SearchUrisResponse,
  searchUris,
} from "@x/wire/web-risk";
import { expectTypeOf } from "vitest";

const bytes = new Uint8Array(0);
const json = { format: "json", enums: "names" } as const;

expectTypeOf(searchHashes.request).toExtend<MessageType<SearchHashesRequest>>();
expectTypeOf(decodeMessage(searchHashes.request, bytes)).toEqualTypeOf<SearchHashesRequest>();
expectTypeOf(decodeJson(findFullHashes.request, "{}")).toEqualTypeOf<FindFullHashesRequest>();
expectTypeOf(encodeMessage(searchHashes.request, {})).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf(encodeJson(searchHashes.request, {}, { enums: "numbers" })).toEqualTypeOf<string>();
expectTypeOf(readResponse(searchHashes, bytes, "")).toEqualTypeOf<SearchHashesResponse>();
expectTypeOf(readResponse(searchUrls, bytes, "")).toEqualTypeOf<SearchUrlsResponse>();
expectTypeOf(readResponse(searchUris, bytes, "")).toEqualTypeOf<SearchUrisResponse>();
expectTypeOf(writeRequest(searchHashes, {}).body).toEqualTypeOf<Uint8Array<ArrayBuffer> | null>();
expectTypeOf(writeResponse(searchHashes, {}, json).contentType).toEqualTypeOf<string>();
expectTypeOf(writeResponseParts(searchHashes, {}, json, 1).parts).toEqualTypeOf<
  readonly BodyPart[]
>();

// A decoded record can be encoded; absent fields may be left out at any depth.
encodeMessage(searchHashes.request, decodeMessage(searchHashes.request, bytes));
encodeMessage(findFullHashes.request, { threatInfo: { threatEntries: [{ hash: bytes }] } });
// @ts-expect-error: a field that the message does not have
encodeMessage(searchHashes.request, { hashPrefix: [] });
// @ts-expect-error: hexadecimal text is not bytes
encodeMessage(searchHashes.request, { hashPrefixes: ["00000000"] });
const fullHashes = [{ fullHashDetails: [{ threatType: "OTHER" }] }] as const;
// @ts-expect-error: a threat type that v5 does not have
encodeMessage(searchHashes.response, { fullHashes });

// The name of the method determines the type of the message.
const request = readRequest({ method: "GET", target: "/" }, [...V5_METHODS, ...V4_METHODS]);
if (request.name === "v5.hashes.search") {
  expectTypeOf(request.message).toEqualTypeOf<SearchHashesRequest>();
  expectTypeOf(request.key).toEqualTypeOf<string | null>();
}

expectTypeOf(fullUpdate).toEqualTypeOf<(list: PrefixList) => ListUpdate>();
expectTypeOf(partialUpdate).returns.toEqualTypeOf<ListUpdate>();
expectTypeOf(applyUpdate).returns.toEqualTypeOf<PrefixList>();
expectTypeOf(applyUpdate).parameter(0).toEqualTypeOf<PrefixList | null>();
expectTypeOf(toHashList).toEqualTypeOf<(update: ListUpdate, facts: HashListFacts) => HashList>();
expectTypeOf(fromHashList).parameter(0).toEqualTypeOf<HashList>();
expectTypeOf(toListUpdateResponse).returns.toEqualTypeOf<ListUpdateResponse>();
expectTypeOf(fromThreatListDiff).parameter(0).toEqualTypeOf<ComputeThreatListDiffResponse>();
expectTypeOf(THREAT_LISTS).toEqualTypeOf<readonly ThreatList[]>();
expectTypeOf(findThreatList({ v5: "mw-4b" })).toEqualTypeOf<ThreatList | null>();
