import type { UrnError } from "@x/urn";
import { Refused } from "../refused.ts";
import { pointAt } from "./point-at.ts";

/** The message without the quotation of the input, which is shown with a caret instead. */
function expectation({ message, index, section }: UrnError): string {
  const end = message.indexOf(`, at index ${index} of `);
  return `${end < 0 ? message : message.slice(0, end)} (${section})`;
}

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
    const { code, input, index, section } = error as UrnError;
    throw new Refused(code, expectation(error as UrnError), {
      facts: { index, section },
      details: input === "" ? [] : pointAt(input, index, columns),
    });
  }
}
