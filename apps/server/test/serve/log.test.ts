import { anyCharacter } from "@x/test-support/generated-text";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { traceOf } from "../../src/serve/http/request.ts";
import { createLog, type LogOptions, parseLoggedRequests } from "../../src/serve/log.ts";

/** Returns the lines that are logged for one line of each level and for requests with these statuses. */
function logged(options: LogOptions, statuses: readonly number[] = []): Record<string, unknown>[] {
  let text = "";
  const log = createLog({ write: (line) => (text += line) }, options);
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  for (const status of statuses) {
    log.request({ route: "route", status }, "GET", 0, 0, { trace: () => "" });
  }
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test.each([
  ["debug", ["debug", "info", "warn", "error", "request"]],
  ["info", ["info", "warn", "error", "request"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["silent", []],
] as const)("the level %s", (level, expected) => {
  expect(logged({ level }, [500]).map(({ msg }) => msg)).toEqual(expected);
});

test.each([
  ["all", [200, 404, 503]],
  ["errors", [503]],
  ["none", []],
  ["50%", [404, 503]],
  ["0%", [503]],
  ["100%", [200, 404, 503]],
])("of the requests, %s are logged", (which, expected) => {
  const numbers = which === "50%" ? [0.5, 0.4999] : [0, 0, 0.999];
  const options = { requests: parseLoggedRequests(which)!, random: () => numbers.shift() ?? 0 };
  const requests = logged(options, [200, 404, 503]).filter(({ msg }) => msg === "request");
  expect(requests.map(({ status }) => status)).toEqual(expected);
});

test.each(["", "some", "101%", "-1%", "1", "%", "1e3%", "ALL"])("%j is no choice", (text) => {
  expect(parseLoggedRequests(text)).toBeNull();
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

const traced = (headers: Readonly<Record<string, string>>) =>
  JSON.parse(`{${traceOf((name) => headers[name] ?? null)}}`);

test("the IDs of a request", () => {
  expect(traced({})).toEqual({});
  expect(traced({ "x-request-id": "4f-A_1" })).toEqual({ request_id: "4f-A_1" });
  const both = { "x-request-id": "1", traceparent: `00-${TRACE}-${SPAN}-01` };
  expect(traced(both)).toEqual({ request_id: "1", trace_id: TRACE, span_id: SPAN });
  // A later version of the header may have more fields.
  const later = `cc-${TRACE}-${SPAN}-01-what-comes`;
  expect(traced({ traceparent: later })).toEqual({ trace_id: TRACE, span_id: SPAN });
});

test.each([
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01\n`,
])("%j is not a traceparent", (traceparent) => {
  expect(traced({ traceparent })).toEqual({});
});

test.each(["", "a b", 'a","msg":"x', "a\n{}", "evil.example", "http://a/", "é", "a".repeat(129)])(
  "%j is not an ID",
  (id) => {
    expect(traced({ "x-request-id": id })).toEqual({});
  },
);

test("no header adds anything but its ID to a line", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }));
  fc.assert(
    fc.property(text, text, (id, traceparent) => {
      const found = traced({ "x-request-id": id, traceparent });
      expect(Object.keys(found).filter((name) => name !== "request_id")).toEqual([]);
      expect([undefined, id]).toContain(found.request_id);
    }),
    { numRuns: sampleSize(2000) },
  );
});
