import { readFileSync } from "node:fs";

interface Case<Input, Expected> {
  readonly input: Input;
  readonly expected?: Expected;
  readonly error?: string;
  /** A form of the message that is read but never written. */
  readonly readOnly?: boolean;
  readonly section: string;
}

/** The vectors of a file, in which bytes are `{"hex": …}` and big integers `{"bigint": …}`. */
export function readVectors<Input, Expected>(name: string): readonly Case<Input, Expected>[] {
  const text = readFileSync(new URL(`vectors/${name}.json`, import.meta.url), "utf8");
  const revive = (_key: string, value: unknown) => {
    if (typeof value !== "object" || value === null || Object.keys(value).length !== 1)
      return value;
    if ("hex" in value && typeof value.hex === "string") return fromHex(value.hex);
    return "bigint" in value ? BigInt(value.bigint as string) : value;
  };
  return (JSON.parse(text, revive) as { cases: readonly Case<Input, Expected>[] }).cases;
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** The code of the error that the function throws. */
export function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
  return null;
}
