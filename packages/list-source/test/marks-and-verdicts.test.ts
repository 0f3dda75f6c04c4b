import { foreignText, recognizeLine } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { readText } from "./read.ts";

/** The entries of a source, the codes of what was refused in it, and how many records were left out. */
function read(lines: readonly string[], format: "urls" | "csv" | "json-lines") {
  const { events, summary } = readText(`${lines.join("\n")}\n`, { format });
  return {
    entries: events.flatMap((event) => /^\d+: (.*)/.exec(event)?.[1] ?? []),
    refused: events.flatMap((event) => /refused (.*)/.exec(event)?.[1] ?? []),
    left: summary?.notApplicable,
  };
}

describe("a mark before a host", () => {
  test.each([..."-~+!\u2022\u00b7\u2013\u25cf"])("%s", (mark) => {
    expect(foreignText(`${mark}evil.example`)?.code).toBe("host-character");
    expect(foreignText(`${mark}evil.example/a`)?.code).toBe("host-character");
    const { entries, refused } = read(["good.example", `${mark}evil.example`], "urls");
    expect(entries).toEqual(["good.example/"]);
    expect(refused).toHaveLength(1);
  });

  test("after a scheme, it is part of the host", () => {
    expect(foreignText("http://-evil.blog.example/")).toBeNull();
  });
});

test.each([
  "evil\u00b7example",
  "http://evil\u00b7example/a",
  "evil\u30fbexample",
  "evil/.example",
])("%s has a sign for the dot", (text) => expect(foreignText(text)?.code).toBe("defanged"));

test.each([
  "http://l\u00b7l.example/",
  "http://evil/.example",
  "http://www.dot.example/",
  "wiki/a.b",
])("%s has none", (text) => expect(recognizeLine(text)).toBeNull());

describe("a verdict that allows", () => {
  const BLOCKED = "http://evil.example/";
  test.each([
    ["threat", "none", "malware"],
    ["Threat_Type", "No detections", "malware"],
    ["verdict", "undetected", "malicious"],
    ["Urteil", "unbedenklich", "Phishing"],
    ["statut", "légitime", "hameçonnage"],
    ["estado", "Permitido", "bloqueado"],
    ["状态", "安全", "钓鱼"],
    ["статус", "безопасно", "фишинг"],
  ])("in a column %s: %s", (name, allowed, blocked) => {
    const expected = { entries: ["evil.example/"], refused: ["exception"], left: 0 };
    const rows = [`url,${name}`, `http://good.example/,${allowed}`, `${BLOCKED},${blocked}`];
    expect(read(rows, "csv")).toEqual(expected);
    const records = [
      { url: "http://good.example/", [name]: allowed },
      { url: BLOCKED, [name]: blocked },
    ].map((record) => JSON.stringify(record));
    expect(read(records, "json-lines")).toEqual(expected);
  });

  test.each(["verified", "is_confirmed"])("in a column %s: no", (name) => {
    const rows = [`url,${name}`, "http://good.example/,no", `${BLOCKED},yes`];
    expect(read(rows, "csv")).toEqual({ entries: ["evil.example/"], refused: [], left: 1 });
  });

  test.each(["label", "Class", "target"])("numbers in a column %s are unclear", (name) => {
    const rows = [`url,${name}`, "http://good.example/,0", `${BLOCKED},1`, `${BLOCKED}a,phishing`];
    expect(read(rows, "csv")).toEqual({
      entries: ["evil.example/a"],
      refused: ["verdict-unclear", "verdict-unclear"],
      left: 0,
    });
  });

  test.each([
    ["score", "0"],
    ["Risk_Score", "0.0"],
    ["detections", "0/94"],
    ["vt_positives", "0"],
  ])("nothing found, in a column %s: %s", (name, none) => {
    const rows = [`url,${name}`, `http://good.example/,${none}`, `${BLOCKED},10`];
    const expected = { entries: ["evil.example/"], refused: ["verdict-unclear"], left: 0 };
    expect(read(rows, "csv")).toEqual(expected);
    const records = [
      { url: "http://good.example/", [name]: none },
      { url: BLOCKED, [name]: 0.5 },
    ].map((record) => JSON.stringify(record));
    expect(read(records, "json-lines")).toEqual(expected);
  });
});
