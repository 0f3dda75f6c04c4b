import { tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import { endOfPlainUrls, foreignLine, refang } from "@x/list-source";
import { linesIn } from "@x/lookup/lines";
import type { InputPart, RefusedInput } from "../output/results.ts";

/** Turns the defanged URLs in a part of the input back into the original ones. Lines keep their numbers. */
export function refangPart(part: InputPart): InputPart {
  if (!("place" in part)) return { ...part, bytes: refangLines(part.bytes, part) };
  const text = typeof part.text === "string" ? refang(part.text) : refangLine(part.text);
  return { ...part, text };
}

function refangLines(bytes: Uint8Array, block: Parameters<typeof linesIn>[0]): Uint8Array {
  if (endOfPlainUrls(bytes) === bytes.length) return bytes;
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const line of linesIn(block)) {
    const given = bytes.subarray(line.start, line.end);
    const meant = refangLine(given);
    if (meant === given) continue;
    pieces.push(bytes.subarray(end, line.start), meant);
    end = line.end;
  }
  return end === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(end)]);
}

/**
 * Turns a defanged line back into the original URL. A line that is not defanged, is too long or is not UTF-8 stays as
 * it is.
 */
function refangLine(line: Uint8Array): Uint8Array {
  if (tooLongLine(line) !== null || foreignLine(line)?.code !== "defanged") return line;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  return text.includes("\ufffd") ? line : Buffer.from(refang(text));
}

/** Adds advice about `--refang` to a refusal if the input is defanged. */
export function withAdvice(refused: RefusedInput, input: string | Uint8Array): RefusedInput {
  const { code, message } = refused.error;
  if (code !== "defanged") return refused;
  const text = typeof input === "string" ? input : Buffer.from(input).toString();
  return { ...refused, text: `${printable(message)} ${refangAdvice(text)}` };
}

/** Says whether `--refang` can turn a defanged input back. */
export function refangAdvice(text: string): string {
  return refang(text) === text ? "(--refang cannot turn it back)" : "(--refang turns it back)";
}
