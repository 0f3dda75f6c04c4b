import * as links from "@x/links";
import * as mail from "@x/links/mail";
import * as text from "@x/links/text";
import { expect, test } from "vitest";

test.each([
  ["@x/links", links, []],
  ["@x/links/mail", mail, []],
  ["@x/links/text", text, ["findInText"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
