import { fewest, sampleSize } from "@x/test-support/sample-size";
import {
  type AnyMethod,
  type BodyPart,
  type Field,
  readProtobufResponse,
  readRequest,
  readResponse,
  type WireError,
  writeRequest,
  writeResponse,
  writeResponseParts,
} from "@x/wire";
import { fetchThreatListUpdates, findFullHashes, listThreatLists } from "@x/wire/v4";
import { batchGetHashLists, getHashList, searchHashes, V5_METHODS } from "@x/wire/v5";
import { computeThreatListDiff } from "@x/wire/web-risk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METHODS } from "./protobuf-es.ts";
import { recordOf } from "./records.ts";
import { codeOf } from "./vectors.ts";

const RUNS = { seed: 5, numRuns: sampleSize(100) };
const FORMS = ["plain", "$req"] as const;
const FORMATS = [undefined, "protobuf", "json"] as const;

describe.each(METHODS)("$name", { tags: "deep" }, (method) => {
  test("a server reads a client's requests in every form", () => {
    fc.assert(
      fc.property(recordOf(method.request), (message: Record<string, unknown>) => {
        for (const form of FORMS) {
          for (const format of FORMATS) {
            const { headers, body, ...rest } = writeRequest(method, message, {
              form,
              format,
              key: "k&=",
            });
            const sent = { ...rest, headers: new Headers({ ...headers }), body: body ?? undefined };
            const read = readRequest(sent, METHODS);
            expect(read.name).toBe(method.name);
            expect(read.key).toBe("k&=");
            // Parameters cannot express a nested message that is present but empty.
            if (form === "$req" || method.httpMethod === "POST") {
              expect(read.message).toEqual(message);
            } else {
              expect(withoutEmpty(read.message)).toEqual(withoutEmpty(message));
            }
            const usual = method.httpMethod === "POST" ? "protobuf" : method.answer;
            if (format !== undefined || form === "plain") {
              expect(read.answer.format).toBe(format ?? usual);
            }
          }
        }
      }),
      RUNS,
    );
  });

  test("a client reads a server's answers in every form", () => {
    fc.assert(
      fc.property(recordOf(method.response), (message: Record<string, unknown>) => {
        for (const format of ["protobuf", "json"] as const) {
          for (const enums of ["names", "numbers"] as const) {
            const { body, contentType } = writeResponse(method, message, { format, enums });
            expect(readResponse(method, body, contentType)).toEqual(message);
            const readStrictly = () => readProtobufResponse(method, body, contentType);
            if (format === "json") expect(codeOf(readStrictly)).toBe("content-type-unknown");
            else expect(readStrictly()).toEqual(message);
          }
        }
      }),
      RUNS,
    );
  });

  test("the parts of an answer are its body, and large values are not copied", {
    tags: "deep",
  }, () => {
    let shared = 0;
    fc.assert(
      fc.property(
        recordOf(method.response),
        fc.integer({ min: 1, max: 12 }),
        (message: Record<string, unknown>, largeBytes) => {
          const large = bytesIn(message).filter(({ length }) => length >= largeBytes);
          for (const format of ["protobuf", "json"] as const) {
            const answer = { format, enums: "names" } as const;
            const { body, contentType } = writeResponse(method, message, answer);
            const whole = writeResponseParts(method, message, answer, largeBytes);
            expect(whole.contentType).toBe(contentType);
            expect(Buffer.concat(whole.parts.map(bytesOfPart))).toEqual(Buffer.from(body));
            const values = whole.parts.map((part) => ("base64" in part ? part.base64 : part));
            for (const value of large) expect(values).toContain(value);
          }
          shared += large.length;
        },
      ),
      RUNS,
    );
    expect(shared > 0).toBe(hasBytes(method.response));
  });
});

/** The bytes that a part stands for. */
function bytesOfPart(part: BodyPart): Uint8Array {
  return "base64" in part ? Buffer.from(Buffer.from(part.base64).toString("base64")) : part;
}

/** All values of bytes in a record. */
function bytesIn(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(bytesIn) : [];
}

/** Whether a message, or one in it, has a field of bytes. */
function hasBytes({ fields }: AnyMethod["response"]): boolean {
  return Object.values<Field<unknown>>(fields).some(
    ({ kind, type }) => kind === "bytes" || (type !== undefined && hasBytes(type)),
  );
}

/** The record without empty nested records. */
function withoutEmpty(record: unknown): unknown {
  return JSON.parse(
    JSON.stringify(record, (_, value: unknown) => {
      if (value instanceof Uint8Array) return [...value];
      const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
      const isEmpty = (each: unknown) => !each || (Array.isArray(each) && each.length === 0);
      return isRecord && Object.values(value).every(isEmpty) ? null : value;
    }),
  );
}

const fourBytes = Uint8Array.of(0xfb, 0xef, 0xff, 1);

test("requests as clients send them", () => {
  const plain = writeRequest(
    batchGetHashLists,
    { names: ["se-4b", "mw-4b"], version: [fourBytes, new Uint8Array(0)] },
    { key: "k" },
  );
  expect(plain).toEqual({
    method: "GET",
    target: "/v5/hashLists:batchGet?key=k&names=se-4b&names=mw-4b&version=--__AQ%3D%3D&version=",
    headers: {},
    body: null,
  });
  const one = writeRequest(getHashList, { name: "a b/c", version: fourBytes });
  expect(one.target).toBe("/v5/hashList/a%20b%2Fc?version=--__AQ%3D%3D");
  const find = { threatInfo: { threatEntries: [{ hash: fourBytes }] } };
  const override = writeRequest(findFullHashes, find, { form: "$req" });
  expect(override.target).toBe(
    "/v4/fullHashes:find?%24ct=application%2Fx-protobuf&%24httpMethod=POST&%24req=GggaBgoE--__AQ%3D%3D",
  );
  expect(override.headers).toEqual({ "X-HTTP-Method-Override": "POST" });
  const post = writeRequest(findFullHashes, find);
  expect(post.target).toBe("/v4/fullHashes:find?alt=proto");
  expect(post.headers).toEqual({ "Content-Type": "application/x-protobuf" });
  const json = writeRequest(findFullHashes, find, { format: "json" });
  expect(new TextDecoder().decode(json.body!)).toBe(
    '{"threatInfo":{"threatEntries":[{"hash":"++//AQ=="}]}}',
  );
  expect(writeRequest(listThreatLists, {}).target).toBe("/v4/threatLists");
  const risk = { threatType: "MALWARE", constraints: { supportedCompressions: ["RAW"] } } as const;
  expect(writeRequest(computeThreatListDiff, risk).target).toBe(
    "/v1/threatLists:computeDiff?threatType=MALWARE&constraints.supportedCompressions=RAW",
  );
});

test("only the methods that are served are found", () => {
  const request = { method: "GET", target: "/v5/hashes:search?hashPrefixes=AAAAAA==" };
  expect(readRequest(request, [searchHashes]).message.hashPrefixes).toEqual([new Uint8Array(4)]);
  expect(codeOf(() => readRequest(request, [batchGetHashLists]))).toBe("path-unknown");
  expect(() => readRequest(request, [batchGetHashLists])).toThrow(
    /^The request: expected the path /,
  );
});

test("an answer of an unknown kind is refused", () => {
  for (const type of ["text/html", "", "application/json+x"]) {
    for (const read of [readResponse, readProtobufResponse]) {
      const reading = () => read(searchHashes, new Uint8Array(0), type);
      expect(codeOf(reading)).toBe("content-type-unknown");
      expect(reading).toThrow(/^The message: expected application\/json or /);
    }
  }
});

test("limits hold for targets, parameters and bodies", () => {
  const target = "/v5/hashes:search?hashPrefixes=AAAAAA==";
  const limit = { maxBytes: 20 };
  const get = { method: "GET", target };
  expect(codeOf(() => readRequest(get, [searchHashes], limit))).toBe("message-too-large");
  const body = new Uint8Array(21);
  const post = { method: "POST", target: "/v4/fullHashes:find", body };
  expect(codeOf(() => readRequest(post, [findFullHashes], limit))).toBe("message-too-large");
  expect(codeOf(() => readResponse(searchHashes, body, "application/json", limit))).toBe(
    "message-too-large",
  );
  const many = { method: "GET", target: `/v5/hashLists:batchGet?${"names=a&".repeat(100_001)}` };
  expect(codeOf(() => readRequest(many, [batchGetHashLists]))).toBe("too-many-elements");
  const few = (query: string) =>
    codeOf(() =>
      readRequest({ method: "GET", target: `/v5/hashLists:batchGet?${query}` }, METHODS, {
        maxValues: 3,
      }),
    );
  expect(few("$req=CgFhCgFiCgFj")).toBe(null);
  expect(few("$req=CgFhCgFhCgFhCgFh")).toBe("too-many-values");
});

test("arguments of other types are refused", () => {
  const wrong = (request: unknown) => () => readRequest(request as never, METHODS);
  expect(wrong({ method: "GET" })).toThrow(TypeError);
  expect(wrong({ target: "/" })).toThrow(TypeError);
  expect(() => readResponse(searchHashes, "{}" as never, "application/json")).toThrow(TypeError);
  expect(() => readResponse(searchHashes, fourBytes, null as never)).toThrow(TypeError);
});

test("an update is requested and answered from end to end", () => {
  const asked = writeRequest(fetchThreatListUpdates, {
    client: { clientId: "me" },
    listUpdateRequests: [{ threatType: "MALWARE", platformType: 99, threatEntryType: "URL" }],
  });
  const request = { ...asked, headers: new Headers({ ...asked.headers }), body: asked.body! };
  const { message, answer } = readRequest(request, [fetchThreatListUpdates]);
  const [list] = message.listUpdateRequests;
  const { threatType, platformType, threatEntryType } = list!;
  const written = writeResponse(
    fetchThreatListUpdates,
    {
      listUpdateResponses: [
        { threatType, platformType, threatEntryType, responseType: "FULL_UPDATE" },
      ],
    },
    answer,
  );
  const got = readResponse(fetchThreatListUpdates, written.body, written.contentType);
  expect(got.listUpdateResponses[0]).toMatchObject({ threatType: "MALWARE", platformType: 99 });
});

test("a path is read the same with and without escapes", () => {
  const escaped = (text: string, isEscaped: readonly boolean[]) =>
    [...text]
      .map((each, i) => (isEscaped[i] ? `%${each.charCodeAt(0).toString(16)}` : each))
      .join("");
  const read = (path: string) => {
    try {
      const { name, message } = readRequest({ method: "GET", target: `${path}?names=a` }, [
        ...V5_METHODS,
      ]);
      return { name, message };
    } catch (error) {
      return (error as WireError).code;
    }
  };
  let [found, unknown] = [0, 0];
  fc.assert(
    fc.property(
      fc.constantFrom(...V5_METHODS.map(({ path }) => path)),
      fc.constantFrom("", "", "x", "/", "/y", "mw-4b"),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (path, rest, isEscaped) => {
        const plain = read(path + rest);
        if (plain === "path-unknown") unknown++;
        else found++;
        // The slash before a value in the path is not escaped: an escaped slash would be part of the value.
        const kept = isEscaped.map((each, i) => each && (path + rest)[i] !== "/");
        expect(read(escaped(path + rest, kept))).toEqual(plain);
      },
    ),
    { seed: 5, numRuns: sampleSize(300) },
  );
  expect(Math.min(found, unknown)).toBeGreaterThan(fewest(50));
});
