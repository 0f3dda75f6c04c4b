import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the migration guide defines the response of urls:search as v5.proto does", () => {
  const guide = read("../../../docs/migrate-from-v4.md");
  const [, definition] = /^```proto\n(.*?)^```$/ms.exec(guide)!;
  const { root } = protobuf.parse(definition!, { keepCase: true });
  const v5 = protobuf
    .parse(read("oracle/v5.proto"), { keepCase: true })
    .root.lookup("google.security.safebrowsing.v5") as protobuf.Namespace;
  expect(root.nestedArray.map(({ name }) => name)).toEqual([
    "SearchUrlsResponse",
    "ThreatUrl",
    "ThreatType",
  ]);
  for (const each of root.nestedArray) {
    expect(each.toJSON(), each.name).toEqual(v5.get(each.name)!.toJSON());
  }
});
