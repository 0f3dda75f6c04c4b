import { expect, test } from "vitest";
import type { Api } from "../../src/serve/api.ts";
import { textReply } from "../../src/serve/http/reply.ts";
import { type PlainRequest, splitTarget } from "../../src/serve/http/request.ts";
import type { Route } from "../../src/serve/operator-routes.ts";
import { dispatch } from "../../src/serve/routes.ts";

const reply = (name: string) => () => textReply(name, 200, "");
const api: Api = { answer: reply("api"), forgetAnswers() {} };
const routes: readonly Route[] = ["/", "/lookup", "/lookup/status", "/list/{name}.txt"].map(
  (path) => ({ method: "GET", path, answer: reply(path) }),
);

test.each([
  ["/", "/"],
  ["/?", "/"],
  ["/?a?b", "/"],
  ["/lookup", "/lookup"],
  ["/lookup?url=/list/", "/lookup"],
  ["/lookup/", "api"],
  ["/lookup/status?x", "/lookup/status"],
  ["/list/malware.txt", "/list/{name}.txt"],
  ["/list/?key=a?b", "/list/{name}.txt"],
  ["/list", "api"],
  ["/lists/x.txt", "api"],
  ["/v5/list/malware.txt", "api"],
  ["/v5/hashes%3Asearch", "api"],
])("%s is answered by %s", async (target, route) => {
  const headers = { get: () => null, getAll: () => [] };
  const request = { ...splitTarget(target), method: "GET", headers } as unknown as PlainRequest;
  expect((await dispatch(routes, api).answer(request)).route).toBe(route);
});

test("the query is everything after the first question mark", () => {
  expect(splitTarget("/a?b?c")).toEqual({ target: "/a?b?c", path: "/a", query: "b?c" });
  expect(splitTarget("/a?")).toEqual({ target: "/a?", path: "/a", query: "" });
  expect(splitTarget("/a")).toEqual({ target: "/a", path: "/a", query: "" });
});
