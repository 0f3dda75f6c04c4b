import { decodeNss, encodeNss, formatUrn, parseUrn } from "@x/urn";
import { expect, test } from "vitest";
import { errorOf, loadVectors, titled } from "./load-vectors.ts";

interface Call {
  readonly call: string;
  readonly arguments: readonly unknown[];
}

const calls = { decodeNss, encodeNss, formatUrn, parseUrn } as Readonly<
  Record<string, (...input: never[]) => unknown>
>;

test.each(titled(loadVectors<Call, string>("messages")))(
  "%s",
  (_, { input, error, expected, section }) => {
    const thrown = errorOf(() => calls[input.call]!(...(input.arguments as never[])));
    expect(thrown).toMatchObject({ ...error, name: "UrnError", message: expected, section });
  },
);
