import { type Command, InvalidArgumentError } from "commander";

function parseBits(text: string): number {
  const bits = Number(text);
  if (!/^\d+$/.test(text) || bits % 8 !== 0 || bits < 32 || bits > 256) {
    throw new InvalidArgumentError("Expected a multiple of 8 from 32 to 256.");
  }
  return bits;
}

/** `--bits`: the length of a hash prefix, as the text's `TruncatedSha256Prefix` takes it. */
export function addBitsOption(command: Command): Command {
  return command.option(
    "--bits <n>",
    "bits of a hash prefix, a multiple of 8 from 32 to 256",
    parseBits,
    32,
  );
}
