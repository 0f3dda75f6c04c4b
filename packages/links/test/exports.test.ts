import * as links from "@x/links";
import * as mail from "@x/links/mail";
import * as text from "@x/links/text";
import { expect, test } from "vitest";

test.each([
  ["@x/links", links, ["findLinks", "findLinksInStream"]],
  ["@x/links/mail", mail, ["findLinksInMail"]],
  ["@x/links/text", text, ["findLinksInText"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
