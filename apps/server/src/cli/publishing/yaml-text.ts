import { didYouMean } from "@x/command-line";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Key } from "./publisher-file-schema.ts";

/** A YAML document and its problems. Problems are collected, so that reading goes on after the first one. */
export interface YamlText {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly problems: { readonly at: number; readonly problem: string }[];
}

/** A value in a YAML document. */
export interface Place {
  /** The YAML node, or `null` for a key without a value. */
  readonly node: unknown;
  /** The offset of the value in the text, in UTF-16 code units. */
  readonly at: number;
  /** The keys that lead to the value, such as `lists.malware.lifetime`. */
  readonly path: string;
}

export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    at: pos[0],
    problem: message.split("\n")[0]!,
  }));
  return { document, lines, problems };
}

/** Records a problem. `at` is its offset in the text, in UTF-16 code units. */
export function say({ problems }: YamlText, at: number, problem: string): void {
  problems.push({ at, problem });
}

/** The problems in the order of the text, each with the file and the line. */
export function problemsIn({ problems, lines }: YamlText, file: string): string[] {
  return problems
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, problem }) => `${file}:${Math.max(1, lines.linePos(at).line)}: ${problem}`);
}

const startOf = (node: unknown, otherwise: number): number =>
  (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? otherwise;

const resolved = ({ document }: YamlText, node: unknown): unknown =>
  isAlias(node) ? (node.resolve(document) ?? null) : node;

/** The values of a mapping, by key. Keys that are not in `known` are problems, unless `known` is `null`. */
export function entriesOf(
  yaml: YamlText,
  { node, at, path }: Place,
  expected: string,
  known: readonly string[] | null,
): Map<string, Place> {
  const entries = new Map<string, Place>();
  if (!isMap(node)) {
    say(yaml, at, `${path === "" ? "" : `${path}: `}expected ${expected}`);
    return entries;
  }
  for (const { key, value } of node.items) {
    const where = startOf(key, at);
    const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
    const full = path === "" ? name : `${path}.${name}`;
    if (known !== null && !known.includes(name)) {
      say(yaml, where, `unknown key ${JSON.stringify(full)}${didYouMean(name, known)}`);
    } else {
      const found = resolved(yaml, value);
      entries.set(name, { node: found, at: startOf(found, where), path: full });
    }
  }
  return entries;
}

/** The items of a sequence. Any other node is recorded as a problem. */
export function itemsOf(yaml: YamlText, { node, at, path }: Place, expected: string): Place[] {
  if (!isSeq(node)) {
    say(yaml, at, `${path}: expected ${expected}`);
    return [];
  }
  return node.items.map((item, i) => {
    const found = resolved(yaml, item);
    return { node: found, at: startOf(found, at), path: `${path}[${i}]` };
  });
}

/** Parses a scalar value. Records a problem and returns `undefined` if the value is not valid. */
export function readValue<Value>(
  yaml: YamlText,
  { node, at, path }: Place,
  { read }: Key<Value>,
): Value | undefined {
  const value = isScalar(node) ? node.value : null;
  try {
    return read(value);
  } catch (error) {
    const expected = (error as Error).message.replace(/^E/, "e").replace(/\.$/, "");
    const not = isScalar(node) ? `, not ${JSON.stringify(value)}` : "";
    say(yaml, at, `${path}: ${expected}${not}`);
    return undefined;
  }
}
