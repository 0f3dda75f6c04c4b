import type { PrefixListError } from "@x/prefix-list";
import { riceDecode, riceEncode } from "@x/prefix-list/rice";
import { FULL_HASH_BYTES, fromHex, toHex } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { concatBytes, encodeText } from "./bytes.ts";
import { applyChange, type Change, removalsOf } from "./change.ts";
import { StoreError } from "./error.ts";
import { MAX_VERSION } from "./keys.ts";
import type { StoredObject } from "./layers.ts";
import type { StepLink } from "./manifest.ts";
import { NO_WORDS, type PrefixWords } from "./words.ts";

/*
 * A step is an object with the difference between two versions. A step is short, because removals are indices in the
 * older list. A step has the hash of the older manifest, and links to the steps that end at the older version. So a
 * reader can go back from step to step without reading the manifests in between, and the hash of the newest step proves
 * all of them.
 *
 * All numbers are unsigned, the most significant byte first:
 *
 *   the bytes "step", the SHA-256 of the older manifest, and the number of steps that end there
 *   for each of those: LINK
 *   for the removals and for the additions: CODES
 *   the Rice codes of the removals, and those of the additions
 */

const MAGIC = encodeText("step");
const COUNT = MAGIC.length + FULL_HASH_BYTES;
const LINKS = COUNT + 1;

/** The offsets of the fields for a step that ends at the older version. */
const LINK = {
  /** The version where the step begins. */
  after: 0,
  object: 8,
  bytes: 40,
  end: 44,
} as const;

/** The offsets of the fields for Rice codes. */
const CODES = {
  /** The number of values, including the first one. */
  count: 0,
  firstValue: 4,
  bytes: 8,
  riceParameter: 12,
  end: 13,
} as const;

/** The part of a step that describes the older version. */
export interface StepHead {
  /** The hash of the older manifest. */
  readonly manifest: string;
  /** The steps that end at the older version. */
  readonly steps: readonly StepLink[];
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array) =>
  new DataView(buffer, byteOffset, length);

function encodeHead({ manifest, steps }: StepHead): Uint8Array {
  const head = new Uint8Array(LINKS + steps.length * LINK.end);
  const view = viewOf(head);
  head.set(MAGIC);
  head.set(fromHex(manifest), MAGIC.length);
  view.setUint8(COUNT, steps.length);
  for (const [i, { after, object, bytes }] of steps.entries()) {
    const at = LINKS + i * LINK.end;
    view.setBigUint64(at + LINK.after, BigInt(after));
    head.set(fromHex(object), at + LINK.object);
    view.setUint32(at + LINK.bytes, bytes);
  }
  return head;
}

function encodeValues(values: Uint32Array): { fields: Uint8Array; codes: Uint8Array } {
  const fields = new Uint8Array(CODES.end);
  if (values.length === 0) return { fields, codes: new Uint8Array(0) };
  const { firstValue, riceParameter, encodedData: codes } = riceEncode(values);
  const view = viewOf(fields);
  view.setUint32(CODES.count, values.length);
  view.setUint32(CODES.firstValue, firstValue);
  view.setUint32(CODES.bytes, codes.length);
  view.setUint8(CODES.riceParameter, riceParameter);
  return { fields, codes };
}

/** Encodes the step that changes a list into the words `to`. */
export function encodeStep(
  head: StepHead,
  to: PrefixWords,
  change: Change<PrefixWords>,
): Uint8Array {
  const removed = encodeValues(removalsOf(to, change));
  const added = encodeValues(change.added);
  return concatBytes([encodeHead(head), removed.fields, added.fields, removed.codes, added.codes]);
}

function damaged(object: string, cause?: unknown): StoreError {
  return new StoreError("damaged", `The object ${object} is damaged: it is not a step`, { cause });
}

/** The offset at which the fields for the Rice codes begin. */
function endOfHead({ object, bytes }: StoredObject): number {
  const end = LINKS + (bytes[COUNT] ?? 0) * LINK.end;
  const isStep = MAGIC.every((byte, i) => bytes[i] === byte) && end + 2 * CODES.end <= bytes.length;
  if (isStep) return end;
  throw damaged(object);
}

/** Reads the head of a step. */
export function stepHead(step: StoredObject): StepHead {
  const end = endOfHead(step);
  const { bytes } = step;
  const view = viewOf(bytes);
  const hashAt = (at: number) => toHex(bytes.subarray(at, at + FULL_HASH_BYTES));
  const steps: StepLink[] = [];
  for (let at = LINKS; at < end; at += LINK.end) {
    const after = Number(view.getBigUint64(at + LINK.after));
    if (after > MAX_VERSION) throw damaged(step.object);
    steps.push({ after, object: hashAt(at + LINK.object), bytes: view.getUint32(at + LINK.bytes) });
  }
  return { manifest: hashAt(MAGIC.length), steps };
}

/**
 * Decodes the values whose fields are at the offset `fields` and whose codes are at `codes`. Also returns the offset
 * after the codes.
 */
function decodeValues(bytes: Uint8Array, fields: number, codes: number) {
  const view = viewOf(bytes);
  const count = view.getUint32(fields + CODES.count);
  const encodedData = bytes.subarray(codes, codes + view.getUint32(fields + CODES.bytes));
  const end = codes + encodedData.length;
  if (count === 0) return { values: NO_WORDS, end };
  const firstValue = view.getUint32(fields + CODES.firstValue);
  const riceParameter = view.getUint8(fields + CODES.riceParameter);
  const coded = { firstValue, riceParameter, entriesCount: count - 1, encodedData };
  return { values: riceDecode(coded, { maxEntries: 8 * encodedData.length + 1 }), end };
}

/** Applies a step to a list, and returns the new words. */
export function applyStep(words: PrefixWords, step: StoredObject): PrefixWords {
  const { object, bytes } = step;
  const fields = endOfHead(step);
  try {
    const removals = decodeValues(bytes, fields, fields + 2 * CODES.end);
    const added = decodeValues(bytes, fields + CODES.end, removals.end).values;
    const removed = removals.values.map((index) => words[index]!);
    return applyChange(words, { removed, added });
  } catch (error) {
    if (hasName<PrefixListError>(error, "PrefixListError")) throw damaged(object, error);
    throw error;
  }
}
