import { PrefixListError } from "@x/prefix-list";
import { type RiceDeltas, riceDecode, riceEncode } from "@x/prefix-list/rice";
import { fullHash } from "@x/sha256-prefix";
import { concatBytes, decodeText, encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { isStepLink, type StepLink } from "../log/manifest.ts";
import { checkObject, type Sha256 } from "../objects.ts";
import { applyChange, type PrefixChange, removalsOf } from "./prefix-change.ts";
import type { PrefixWords } from "./prefix-words.ts";
import type { StoredObject } from "./stored-prefixes.ts";

/*
 * A step is the difference between two versions in one object, as short as differences for clients: removals are indices
 * in the older list. Its first line is JSON and names the older manifest and the steps that end there. So a reader goes
 * back from step to step without reading the manifests between, and the hash of the first step proves all of them. The
 * Rice codes of the removals and of the additions follow.
 */

/** How values are coded. */
type Coded = Omit<RiceDeltas, "encodedData"> & { readonly bytes: number };

/** What a step says about the older version. */
export interface StepHead {
  /** The hash of the older manifest. */
  readonly manifest: string;
  /** The steps that end at the older version. */
  readonly steps: readonly StepLink[];
}

interface FirstLine extends StepHead {
  readonly removed: Coded | null;
  readonly added: Coded | null;
}

const NOTHING = new Uint8Array(0);
const NEWLINE = 0x0a;

function encoded(values: Uint32Array): { coded: Coded | null; codes: Uint8Array } {
  if (values.length === 0) return { coded: null, codes: NOTHING };
  const { encodedData: codes, ...rest } = riceEncode(values);
  return { coded: { ...rest, bytes: codes.length }, codes };
}

/** The object of the step that makes the words `to` by a change. */
export function encodeStep(
  { manifest, steps }: StepHead,
  to: PrefixWords,
  change: PrefixChange,
): Uint8Array {
  const removed = encoded(removalsOf(to, change));
  const added = encoded(change.added);
  const line: FirstLine = { manifest, steps, removed: removed.coded, added: added.coded };
  return concatBytes([encodeText(`${JSON.stringify(line)}\n`), removed.codes, added.codes]);
}

function damaged(object: string, cause?: unknown): StoreError {
  return new StoreError("damaged", `The object ${object} is damaged: it is not a step`, { cause });
}

function firstLineOf({ object, bytes }: StoredObject): { line: FirstLine; end: number } {
  const end = bytes.indexOf(NEWLINE) + 1;
  try {
    const line = JSON.parse(decodeText(bytes.subarray(0, end))) as FirstLine;
    if (/^[0-9a-f]{64}$/.test(line.manifest) && line.steps.every(isStepLink)) return { line, end };
  } catch (error) {
    throw damaged(object, error);
  }
  throw damaged(object);
}

/** What an object that was checked against its hash says about the older version. */
export function stepHead(step: StoredObject): StepHead {
  const { manifest, steps } = firstLineOf(step).line;
  return { manifest, steps };
}

/** The values at the start of bytes. */
function decoded(coded: Coded | null, bytes: Uint8Array): Uint32Array {
  if (coded === null) return new Uint32Array(0);
  const encodedData = bytes.subarray(0, coded.bytes);
  return riceDecode({ ...coded, encodedData }, { maxEntries: 8 * encodedData.length + 1 });
}

/** The words of a list after a step, whose bytes are checked against its hash. */
export function applyStep(
  words: PrefixWords,
  step: StoredObject,
  sha256: Sha256 = fullHash,
): PrefixWords {
  const { object } = step;
  const bytes = checkObject(step.bytes, object, sha256);
  const { line, end } = firstLineOf(step);
  try {
    const removals = decoded(line.removed, bytes.subarray(end));
    const added = decoded(line.added, bytes.subarray(end + (line.removed?.bytes ?? 0)));
    return applyChange(words, { removed: removals.map((index) => words[index]!), added });
  } catch (error) {
    if (error instanceof PrefixListError) throw damaged(object, error);
    throw error;
  }
}
