import type { UrnError } from "@x/urn";
import { Refused } from "../refused.ts";
import { pointAt } from "./point-at.ts";

/**
 * What `body` gives.
 *
 * @throws {Refused} in place of a {@link UrnError}, with the place in the text.
 */
export function refusing<T>(columns: number | null, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if ((error as Error).name !== "UrnError") throw error;
    const { code, input, index, expected, section } = error as UrnError;
    // Not its message, which quotes the text: that is shown below, with a caret at the place.
    throw new Refused(code, `Expected ${expected} (${section})`, {
      facts: { index, section },
      details: input === "" ? [] : pointAt(input, index, columns),
    });
  }
}
