import { expect, test } from "vitest";
import { createLog, logText } from "../../src/serve/log.ts";

test("on a terminal, the lines of the log are text", () => {
  let text = "";
  const now = () => Date.UTC(2026, 10, 29, 15, 20, 25, 7);
  const log = createLog(logText({ write: (line) => (text += line) }), { now, level: "debug" });
  log.info("started", { port: 80, adminOrigin: null, name: "a b", lists: ["x"] });
  log.error("bad \u001b[31m\nvalue");
  log.debug("more");
  log.request({ route: "status", status: 200, facts: { list: "x" } }, "GET", 5, 1.5);
  expect(text.split("\n")).toEqual([
    '2026-11-29 15:20:25Z info  started port=80 name="a b" lists=["x"]',
    "2026-11-29 15:20:25Z error bad \\u{1b}[31m\\u{a}value",
    "2026-11-29 15:20:25Z debug more",
    "2026-11-29 15:20:25Z info  request method=GET route=status status=200 bytes=5 ms=1.5 list=x",
    "",
  ]);
});
