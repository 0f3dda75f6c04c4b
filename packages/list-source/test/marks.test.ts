import { foreignLine } from "@x/list-source";
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
    expect(foreignLine(`${mark}evil.example`)?.code).toBe("url-unclear");
    expect(foreignLine(`${mark}evil.example/a`)?.code).toBe("url-unclear");
    const { entries, refused } = read(["good.example", `${mark}evil.example`], "urls");
    expect(entries).toEqual(["good.example/"]);
    expect(refused).toHaveLength(1);
  });

  test("after a scheme, it is part of the host", () => {
    expect(foreignLine("http://-evil.blog.example/")).toBeNull();
  });
});

test.each([
  "evil\u00b7example",
  "http://evil\u00b7example/a",
  "evil\u30fbexample",
  "evil/.example",
])("%s has a sign for the dot", (text) => expect(foreignLine(text)?.code).toBe("defanged"));

test.each([
  "http://l\u00b7l.example/",
  "http://evil/.example",
  "http://www.dot.example/",
  "wiki/a.b",
])("%s has none", (text) => expect(foreignLine(text)).toBeNull());
