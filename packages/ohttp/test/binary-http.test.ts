import { readFileSync } from "node:fs";
import {
  type BinaryRequest,
  type BinaryResponse,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type Field,
} from "@x/ohttp/binary-http";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const vectors = JSON.parse(readFileSync(new URL("vectors/rfc9292.json", import.meta.url), "utf8"));

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const GET = { method: "GET", scheme: "https", authority: "a.example", path: "/" } as const;
const NOTHING = new Uint8Array();

describe("the examples of RFC 9292", () => {
  const known = bytesOf(vectors.requestKnown);
  const indeterminate = bytesOf(vectors.requestIndeterminate);
  const request = { ...vectors.request, content: NOTHING, trailers: [] };

  test("a request, with known and indeterminate length", () => {
    expect(decodeRequest(known)).toEqual(request);
    expect(decodeRequest(indeterminate)).toEqual(request);
    // The example does not leave out the two empty sections at the end.
    expect(encodeRequest(vectors.request)).toEqual(known.slice(0, -2));
    expect(encodeRequest(vectors.request, { padTo: known.length })).toEqual(known);
  });

  test("a request may be cut where the example says so, and nowhere else", () => {
    for (const [bytes, removable] of [
      [known, 2],
      [indeterminate, 12],
    ] as const) {
      for (let removed = 0; removed <= removable; removed++) {
        expect(decodeRequest(bytes.subarray(0, bytes.length - removed))).toEqual(request);
      }
      const controlEnd = 1 + 4 + 6 + 1 + 11;
      for (let length = 0; length < bytes.length - removable; length++) {
        const cut = () => decodeRequest(bytes.subarray(0, length));
        // A message may end after the control data, as the example of RFC 9458 does.
        if (length === controlEnd) expect(cut().headers).toEqual([]);
        else expect(cut).toThrow(expect.objectContaining({ code: "truncated" }));
      }
    }
  });

  test("informational responses", () => {
    const { status, informational, headers, content } = decodeResponse(
      bytesOf(vectors.informationalResponse),
    );
    expect(informational).toEqual([
      { status: 102, headers: [["running", '"sleep 15"']] },
      {
        status: 103,
        headers: [
          ["link", "</style.css>; rel=preload; as=style"],
          ["link", "</script.js>; rel=preload; as=script"],
        ],
      },
    ]);
    expect([status, headers.length]).toEqual([200, 8]);
    expect(textOf(content)).toBe("Hello World! My content includes a trailing CRLF.\r\n");
  });

  test("content and trailers", () => {
    const bytes = bytesOf(vectors.chunkedResponse);
    const response = decodeResponse(bytes);
    expect(textOf(response.content)).toBe("This content contains CRLF.\r\n");
    expect(response.trailers).toEqual([["trailer", "text"]]);
    expect(encodeResponse(response)).toEqual(bytes);
  });
});

/** A message of indeterminate length, encoded plainly (RFC 9292 §3.2). */
function indeterminate(
  framing: number,
  control: readonly (string | number)[],
  { headers = [], trailers = [] }: Pick<BinaryRequest, "headers" | "trailers">,
  chunks: readonly Uint8Array[],
): Uint8Array {
  const bytes: number[] = [];
  const number = (value: number): void => {
    // The longest form of a number is as valid as the shortest.
    const all = Buffer.alloc(8);
    all.writeBigUInt64BE(BigInt(value) + (3n << 62n));
    bytes.push(...all);
  };
  const text = (value: string): void => {
    number(value.length);
    bytes.push(...Buffer.from(value, "latin1"));
  };
  const section = (fields: readonly Field[]): void => {
    for (const field of fields) field.forEach(text);
    bytes.push(0);
  };
  number(framing);
  for (const part of control) typeof part === "number" ? number(part) : text(part);
  section(headers);
  for (const chunk of chunks) {
    number(chunk.length);
    bytes.push(...chunk);
  }
  bytes.push(0);
  section(trailers);
  return Uint8Array.from(bytes);
}

const NAME = fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,12}$/);
const VALUE = fc.stringMatching(/^(?:[!-~\x80-\xff](?:[ -~\t\x80-\xff]{0,70}[!-~\x80-\xff])?)?$/);
const FIELDS = fc.array(fc.tuple(NAME, VALUE), { maxLength: 4 });
const BODY = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 3 });
const METHOD = fc.stringMatching(/^[A-Za-z-]{1,9}$/);
const PATH = fc.stringMatching(/^\/[!-"$-~]{0,80}$/);
const AUTHORITY = fc.stringMatching(/^[a-z0-9.:[\]-]{0,20}$/);

describe("properties", () => {
  test("a request is read as it was written, in both framings, with any padding", () => {
    fc.assert(
      fc.property(
        fc.record({
          method: METHOD,
          authority: AUTHORITY,
          path: PATH,
          headers: FIELDS,
          trailers: FIELDS,
        }),
        BODY,
        fc.integer({ min: 1, max: 600 }),
        (parts, chunks, padTo) => {
          const content = Uint8Array.from(Buffer.concat(chunks));
          const request = { scheme: "https", ...parts, content };
          const bytes = encodeRequest(request, { padTo });
          expect(bytes.length % padTo).toBe(0);
          expect(decodeRequest(bytes)).toEqual(request);
          const { method, authority, path } = parts;
          const plain = indeterminate(2, [method, "https", authority, path], parts, chunks);
          expect(decodeRequest(plain)).toEqual(request);
        },
      ),
      { numRuns: sampleSize(60) },
    );
  });

  test("a response is read as it was written, in both framings", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.record({ headers: FIELDS, trailers: FIELDS }),
        fc.array(fc.record({ status: fc.integer({ min: 100, max: 199 }), headers: FIELDS }), {
          maxLength: 2,
        }),
        BODY,
        (status, parts, informational, chunks) => {
          const content = Uint8Array.from(Buffer.concat(chunks));
          const response: Required<BinaryResponse> = { status, informational, ...parts, content };
          expect(decodeResponse(encodeResponse(response))).toEqual(response);
          if (informational.length > 0) return;
          expect(decodeResponse(indeterminate(3, [status], parts, chunks))).toEqual(response);
        },
      ),
      { numRuns: sampleSize(60) },
    );
  });

  test("any bytes give a message or an error of the package", () => {
    const start = fc.constantFrom(NOTHING, encodeRequest(GET), encodeResponse({ status: 200 }));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 80 }), fc.nat(), (before, noise, at) => {
        const bytes = Uint8Array.from([...before.slice(0, at % (before.length + 1)), ...noise]);
        for (const decode of [decodeRequest, decodeResponse]) {
          try {
            decode(bytes);
          } catch (error) {
            expect((error as Error).name).toBe("OhttpError");
          }
        }
      }),
      { numRuns: sampleSize(300) },
    );
  });
});

test.each([63, 64, 16_383, 16_384, 70_000])(
  "content of %i bytes is read as it was written",
  { tags: "deep" },
  (size) => {
    const content = Uint8Array.from({ length: size }, (_, i) => i % 251);
    const bytes = encodeRequest({ ...GET, method: "POST", content });
    expect(decodeRequest(bytes).content).toEqual(content);
  },
);

describe("what is refused", () => {
  const changed = (change: Partial<BinaryRequest>) => () => encodeRequest({ ...GET, ...change });

  test.each([
    ["method-wrong", { method: "" }],
    ["method-wrong", { method: "GET /" }],
    ["scheme-wrong", { scheme: "ht tp" }],
    ["authority-wrong", { authority: "user@a.example" }],
    ["authority-wrong", { authority: "a.example/b" }],
    ["authority-wrong", { authority: "a.example\r\n" }],
    ["path-wrong", { path: "" }],
    ["path-wrong", { path: "a" }],
    ["path-wrong", { path: "*" }],
    ["path-wrong", { path: "/a b" }],
    ["path-wrong", { path: "/a#b" }],
    ["path-wrong", { path: "/\u00e9" }],
    ["field-name-wrong", { headers: [["", "x"]] }],
    ["field-name-wrong", { headers: [["Host", "x"]] }],
    ["field-name-wrong", { headers: [[":path", "/x"]] }],
    ["field-name-wrong", { trailers: [["a b", "x"]] }],
    ["field-value-wrong", { headers: [["a", "x\r\nb: c"]] }],
    ["field-value-wrong", { headers: [["a", "\0"]] }],
    ["field-value-wrong", { headers: [["a", " x"]] }],
    ["field-value-wrong", { headers: [["a", "\u20ac"]] }],
  ] as const)("%s: %j", (code, change) => {
    expect(changed(change)).toThrow(expect.objectContaining({ name: "OhttpError", code }));
  });

  test("the same when it is read", () => {
    const wrong = (
      framing: number,
      control: readonly (string | number)[],
      headers: readonly Field[],
    ) => indeterminate(framing, control, { headers }, []);
    const cases: readonly [string, Uint8Array][] = [
      ["method-wrong", wrong(2, ["G T", "https", "a", "/"], [])],
      ["authority-wrong", wrong(2, ["GET", "https", "u@a", "/"], [])],
      ["path-wrong", wrong(2, ["GET", "https", "a", "//\r\n"], [])],
      ["field-name-wrong", wrong(2, ["GET", "https", "a", "/"], [["A", "b"]])],
      ["field-value-wrong", wrong(2, ["GET", "https", "a", "/"], [["a", "b\n"]])],
      ["framing-unknown", wrong(3, [200], [])],
      ["framing-unknown", wrong(4, [200], [])],
      ["padding-wrong", Uint8Array.from([...encodeRequest(GET, { padTo: 64 }), 1])],
    ];
    for (const [code, bytes] of cases) {
      expect(() => decodeRequest(bytes), code).toThrow(expect.objectContaining({ code }));
    }
    expect(() => decodeResponse(encodeRequest(GET))).toThrow(
      expect.objectContaining({ code: "framing-unknown" }),
    );
  });

  test.each([0, 99, 600, 2 ** 40])("the status %i", (status) => {
    const expected = expect.objectContaining({ code: "status-wrong" });
    expect(() => encodeResponse({ status })).toThrow(expected);
    expect(() => decodeResponse(indeterminate(3, [status], {}, []))).toThrow(expected);
    const informational = [{ status, headers: [] }];
    expect(() => encodeResponse({ status: 200, informational })).toThrow(expected);
  });

  test("lengths that no message has", () => {
    const huge = Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    expect(() => decodeRequest(huge)).toThrow(expect.objectContaining({ code: "number-unsafe" }));
    const long = Uint8Array.of(0, 0xbf, 0xff, 0xff, 0xff);
    expect(() => decodeRequest(long)).toThrow(expect.objectContaining({ code: "truncated" }));
  });

  test("messages beyond the limits", () => {
    const content = new Uint8Array(100);
    const bytes = encodeRequest({
      ...GET,
      content,
      headers: [
        ["a", "b"],
        ["a", "c"],
      ],
    });
    expect(decodeRequest(bytes, { maxBytes: bytes.length, maxFields: 2 }).content).toEqual(content);
    expect(() => decodeRequest(bytes, { maxBytes: bytes.length - 1 })).toThrow(
      expect.objectContaining({ code: "too-long" }),
    );
    expect(() => decodeRequest(bytes, { maxFields: 1 })).toThrow(
      expect.objectContaining({ code: "too-many-fields" }),
    );
    const hints = Array.from({ length: 201 }, () => ({ status: 103, headers: [] }));
    expect(() => decodeResponse(encodeResponse({ status: 200, informational: hints }))).toThrow(
      expect.objectContaining({ code: "too-many-fields" }),
    );
  });

  test("arguments of wrong types", () => {
    expect(() => decodeRequest("GET" as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => encodeRequest(GET, { padTo: 0 })).toThrow(RangeError);
  });

  test("an OPTIONS request for the whole server, and CONNECT, may have other paths", () => {
    expect(decodeRequest(encodeRequest({ ...GET, method: "OPTIONS", path: "*" })).path).toBe("*");
    expect(decodeRequest(encodeRequest({ ...GET, method: "CONNECT", path: "" })).path).toBe("");
  });
});
