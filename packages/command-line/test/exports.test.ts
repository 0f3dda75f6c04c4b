import * as commandLine from "@x/command-line";
import * as node from "@x/command-line/node";
import * as proxy from "@x/command-line/proxy";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(commandLine).sort()).toEqual([
    "Failure",
    "NOT_EMPTY",
    "addDefinitionCommands",
    "collect",
    "createProgram",
    "didYouMean",
    "durationValue",
    "expecting",
    "formatDuration",
    "historyLines",
    "historyRecords",
    "isCommanderError",
    "parseDuration",
    "wholeNumber",
  ]);
});

test("the exported names of @x/command-line/node", () => {
  expect(Object.keys(node).sort()).toEqual([
    "changeFile",
    "failTo",
    "listenProblem",
    "namesProxy",
    "reasonOf",
    "removeOnSignal",
    "replaceFile",
    "replaceFileBy",
    "temporaryPath",
    "writeBeside",
  ]);
});

test("the exported names of @x/command-line/proxy", () => {
  expect(Object.keys(proxy).sort()).toEqual(["proxyAgent", "useProxies"]);
});
