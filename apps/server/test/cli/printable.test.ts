import { expect, test } from "vitest";
import { complaintOf } from "../support/complaint.ts";

test.each([
  ["\u001b", "\\u{1b}"],
  ["\u061c", "\\u{61c}"],
  ["\u200b", "\\u{200b}"],
  ["\u202e", "\\u{202e}"],
  ["\ufeff", "\\u{feff}"],
  ["\u{e0041}", "\\u{e0041}"],
  ["\ud800", "\\u{d800}"],
])("no error prints %j as it is", async (character, escaped) => {
  const complaint = await complaintOf("gc", "--store", `/nowhere/a${character}b`);
  expect(complaint).toContain(`a${escaped}b`);
  expect(complaint).not.toContain(character);
});
