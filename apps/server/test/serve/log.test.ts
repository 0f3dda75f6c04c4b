import { expect, test } from "vitest";
import { createLog, type LogOptions, parseLoggedRequests } from "../../src/serve/log.ts";

/** Returns the lines that are logged for one line of each level and for requests with these statuses. */
function logged(options: LogOptions, statuses: readonly number[] = []): Record<string, unknown>[] {
  let text = "";
  const log = createLog({ write: (line) => (text += line) }, options);
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  for (const status of statuses) log.request({ route: "route", status }, "GET", 0, 0);
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
