import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { didYouMean, Failure, shellWord } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import type { StoreError } from "@x/list-store";
import { readRegularFile } from "@x/list-store/node";
import { hasName } from "@x/sha256-prefix/has-name";
import * as v from "valibot";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
} from "yaml";
import { isUrl } from "../../publish/fetch/source-url.ts";
import type { Context } from "../context.ts";
import { parseStore, pathOfFiles } from "../store-address.ts";
import { type Settings, settingsSchema } from "./schema.ts";

export const SETTINGS_FILE = "urlhash-server.yaml";

/** The options with which a command finds its settings. */
export interface SettingsOptions {
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly listen?: string | undefined;
  readonly port?: number | undefined;
  readonly logLevel?: string | undefined;
  /** Settings as `NAME=VALUE`, which take precedence over the file. */
  readonly set?: readonly string[] | undefined;
}

/** The settings of a command, and where they are from. */
export interface GivenSettings {
  readonly settings: Settings;
  /** The settings file, even if it does not exist. */
  readonly file: string;
  /** The names at the top of the file. */
  readonly inFile: readonly string[];
  /** Says that the file has the settings of another store, and is not used; otherwise `null`. */
  readonly warning: string | null;
}

/** Thrown for settings that are not valid. The message has the first problem. */
export class InvalidSettings extends Failure {
  /** One sentence for each problem, with the file and the line, or the option. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const [first, ...more] = problems;
    super(`${first}${more.length === 0 ? "" : ` (and ${more.length} more: urlhash-server check)`}`);
    this.problems = problems;
  }
}

/** A setting on the command line. */
interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The option, for messages. */
  readonly shown: string;
}

/** The parts of a schema that say which names it knows. */
interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  /** The forms of a union, or the values of a list of values. */
  readonly options?: readonly (SchemaNode | string | number)[];
  readonly wrapped?: SchemaNode;
  readonly pipe?: readonly SchemaNode[];
  readonly key?: v.GenericSchema;
  readonly value?: SchemaNode;
  readonly item?: SchemaNode;
}

/** A schema and the schemas in it that concern the same value or its items. */
function alternatives(schema: SchemaNode): SchemaNode[] {
  const { options = [], wrapped = [], item = [] } = schema;
  const inner = [options, wrapped, item].flat().filter((each) => typeof each === "object");
  return [schema, ...inner.flatMap(alternatives)];
}

type Path = readonly (string | number)[];

/** The schemas of the values at a path; none if there is no such setting. */
function schemasAt(path: Path): SchemaNode[] {
  let schemas = alternatives(settingsSchema("") as unknown as SchemaNode);
  for (const name of path.filter((each) => typeof each === "string")) {
    schemas = schemas.flatMap(({ entries, key, value }) => {
      if (key !== undefined) return v.is(key, name) ? alternatives(value!) : [];
      return entries && Object.hasOwn(entries, name) ? alternatives(entries[name]!) : [];
    });
  }
  return schemas;
}

function unknownName(path: Path): string {
  const known = schemasAt(path.slice(0, -1)).flatMap(({ entries = {} }) => Object.keys(entries));
  const similar = didYouMean(String(path.at(-1)), known);
  return `unknown setting ${JSON.stringify(path.join("."))}${similar}`;
}

/** Reads a value on the command line: YAML in brackets, `true`, `false`, a number, or text. */
function parseValue(text: string): unknown {
  if (!/^(\[.*\]|\{.*\}|true|false|\d+)$/s.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** Parses `NAME=VALUE`. Relative paths start from the working directory. */
function parseOverride(given: string): Override {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || text === undefined) {
    throw new Failure(
      `--set: expected NAME=VALUE, such as lifetime=7d, not ${JSON.stringify(given)}`,
    );
  }
  const path = name.split(".");
  const schemas = schemasAt(path);
  if (schemas.length === 0) throw new Failure(`--set: ${unknownName(path)}`);
  const isPath = schemas.some((each) => v.getMetadata(each as never)["isPath"]);
  const toPath = (value: unknown) =>
    isPath && typeof value === "string" && !isUrl(value) ? resolve(value) : value;
  const value = parseValue(text);
  return {
    path,
    value: Array.isArray(value) ? value.map(toPath) : toPath(value),
    shown: `--set ${name}`,
  };
}

/** The settings on the command line. `--port` is not among them, because it is a part of one. */
function overridesOf({ store, listen, logLevel, set = [] }: SettingsOptions): Override[] {
  const all = set.map(parseOverride);
  const add = (path: readonly string[], value: unknown, shown: string) => {
    if (value !== undefined) all.push({ path, value, shown });
  };
  add(["store"], store === undefined || isUrl(store) ? store : resolve(store), "--store");
  add(["listen"], listen, "--listen");
  add(["log", "level"], logLevel, "--log-level");
  return all;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a value in `values`. Anything in its way that is not a mapping is replaced. */
function assign(values: Record<string, unknown>, { path, value }: Override): void {
  let at = values;
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(at, name) ? at[name] : null;
    at = at[name] = isRecord(next) ? next : {};
  }
  at[path.at(-1)!] = value;
}

/** A YAML document and where its lines begin. */
interface YamlText {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** The line on which the value at a path, or the last part of the path that is there, begins. */
function lineOf({ document, lines }: YamlText, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(name),
      );
      offset = (pair?.key as { range?: [number] } | undefined)?.range?.[0] ?? offset;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset;
    }
  }
  return Math.max(1, lines.linePos(offset).line);
}

/** A problem with the value at a path. */
interface Problem {
  readonly path: Path;
  /** Whether there is no such setting. */
  readonly isUnknown?: boolean;
  readonly text: string;
}

/** The problems that say most precisely what is wrong. A value of several forms has the issues of all forms. */
function problemsOf(issue: v.BaseIssue<unknown>, above: Path = []): Problem[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  const inner = (issue.issues ?? []).flatMap((each) => problemsOf(each, path));
  const deeper = inner.filter((each) => each.path.length > path.length);
  if (deeper.length > 0) return deeper;
  if (issue.type === "strict_object" && issue.expected === "never") {
    return [{ path, isUnknown: true, text: unknownName(path) }];
  }
  const isMissing = issue.type === "strict_object" && issue.input === undefined;
  const { input } = issue;
  // An API key may have been written in the place of its hash, and addresses may contain passwords.
  const isSecret = path.includes("readers") || path.includes("sources");
  const canQuote = !isSecret && !isMissing && (input === null || typeof input !== "object");
  const not = canQuote && input !== undefined ? `, not ${JSON.stringify(input)}` : "";
  return [{ path, text: `expected ${isMissing ? "this setting" : issue.message}${not}` }];
}

/** Names that objects in JavaScript have anyway. */
const RESERVED = ["__proto__", "constructor", "prototype"];

/** The problems that a schema overlooks: reserved names, and sequences in the place of mappings. */
function overlooked(value: unknown, path: Path = []): Problem[] {
  if (Array.isArray(value)) {
    const types = schemasAt(path).map(({ type }) => type);
    const isMapping = types.includes("record") || types.includes("strict_object");
    if (isMapping && !types.includes("array")) return [{ path, text: "expected settings by name" }];
    return value.flatMap((each, i) => overlooked(each, [...path, i]));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const inside = [...path, name];
    if (!RESERVED.includes(name)) return overlooked(below, inside);
    return [{ path: inside, text: "expected another name" }];
  });
}

/** The text of the settings file; `null` if there is no file. */
async function readSettingsText(file: string): Promise<string | null> {
  const name = `The settings file ${file}`;
  try {
    const bytes = await readRegularFile(file, name);
    if (bytes === null) throw new Failure(`${name} cannot be read: it is a directory`);
    return Buffer.from(bytes).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    const isExplained =
      hasName<StoreError>(error, "StoreError") || hasName<Failure>(error, "Failure");
    if (isExplained) throw error;
    throw new Failure(`${name} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Parses the text of a settings file. Settings on the command line replace those of the file.
 *
 * @throws {InvalidSettings}
 */
export function parseSettings(
  text: string,
  file: string,
  overrides: readonly Override[] = [],
): Omit<GivenSettings, "file" | "warning"> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
  });
  const fail = (problems: readonly string[]) => {
    if (problems.length > 0) throw new InvalidSettings([...new Set(problems)]);
  };
  const at = (line: number, problem: string) => `${file}:${line}: ${problem}`;
  fail(
    [...document.errors, ...document.warnings].map(({ pos, message }) =>
      at(lines.linePos(pos[0]).line, message.split("\n")[0]!),
    ),
  );
  let written: unknown = null;
  try {
    written = document.toJS();
  } catch (error) {
    // An alias may have no anchor, or be used too often.
    fail([at(1, (error as Error).message)]);
  }
  if (!isRecord(written) && text !== "") {
    fail([at(1, "expected settings such as listen: 127.0.0.1:8080")]);
  }
  const values = isRecord(written) ? written : {};
  const inFile = Object.keys(values);
  for (const override of overrides) assign(values, override);
  const { output, issues = [] } = v.safeParse(settingsSchema(dirname(file)), values);
  const problems = [...overlooked(values), ...issues.flatMap((issue) => problemsOf(issue))];
  const located = problems.map(({ path, isUnknown = false, text: problem }) => {
    const override =
      overrides.find((each) => each.path.every((name, i) => name === path[i])) ??
      overrides.find((each) => each.path[0] === path[0] && !inFile.includes(each.path[0]!));
    const isNamed = isUnknown || path.join() === (override?.path.join() ?? "");
    const named = isNamed ? problem : `${path.join(".")}: ${problem}`;
    return override === undefined
      ? { line: lineOf({ document, lines }, path), shown: null, named }
      : { line: 0, shown: override.shown, named };
  });
  located.sort((a, b) => a.line - b.line);
  fail(located.map(({ line, shown, named }) => (shown ? `${shown}: ${named}` : at(line, named))));
  return { settings: output as Settings, inFile };
}

/** The usual place of the settings: beside the other files of the store, or in the working directory. */
function besideStore(store: unknown, files: unknown): string {
  if (typeof files === "string") return dirname(files);
  const address = typeof store === "string" ? parseStore(store) : null;
  return address?.kind === "directory" ? dirname(address.directory) : resolve(".");
}

/** The settings on a command line, and the path of the settings file, which may not exist. */
function placeOf(options: SettingsOptions) {
  const overrides = overridesOf(options);
  const given = (name: string) => overrides.find(({ path }) => path.join(".") === name)?.value;
  const [store, files] = [given("store"), given("files")];
  const file = resolve(options.config ?? join(besideStore(store, files), SETTINGS_FILE));
  return { overrides, store, files, file };
}

/** The settings for a new settings file: those on the command line. */
export function newSettings(options: SettingsOptions): GivenSettings & {
  /** The values to write. */
  readonly values: Readonly<Record<string, unknown>>;
} {
  const { overrides, file } = placeOf(options);
  const values = {};
  for (const override of overrides) assign(values, override);
  return { ...parseSettings("", file, overrides), file, warning: null, values };
}

/** Finds the settings of a command, and warns if they are not in the file where people may expect them. */
export async function readSettings(
  options: SettingsOptions,
  { complain }: Pick<Context, "complain">,
): Promise<GivenSettings> {
  const given = await findSettings(options);
  if (given.warning !== null) complain(`warning: ${given.warning}`);
  return given;
}

/**
 * Finds the settings of a command: in the file that it names, or in {@link SETTINGS_FILE} beside the store, or in
 * the working directory if no store is named. Without such a file, all settings have their defaults.
 * A file that is not named, and that has the settings of another store, is not used.
 */
export async function findSettings(options: SettingsOptions): Promise<GivenSettings> {
  const { config, port } = options;
  const { overrides, store, files, file } = placeOf(options);
  const found = await readSettingsText(file);
  if (found === null && config !== undefined) {
    throw new Failure(`The settings file ${file} does not exist`);
  }
  // An empty file has been lost, or is not yet written: its settings may close lists and addresses.
  if (found?.trim() === "") throw new Failure(`The settings file ${file} is empty`);
  const isOwn = found !== null && (config !== undefined || isForStore(found, file, store));
  if (!isOwn) refuseOldSettings(store, files);
  const { settings, inFile } = parseSettings(isOwn ? found : "", file, overrides);
  const warning =
    found === null || isOwn
      ? null
      : `${file} has the settings of another store, so it is not used (to use it: --config ${shellWord(file)})`;
  if (port === undefined) return { settings, inFile, file, warning };
  const { listen } = settings;
  const host = listen.kind === "tcp" ? listen.host : "127.0.0.1";
  return { settings: { ...settings, listen: { kind: "tcp", host, port } }, inFile, file, warning };
}

/** Whether the text of a settings file is for a store, or names none. */
function isForStore(text: string, file: string, store: unknown): boolean {
  if (store === undefined) return true;
  const { store: own } = parseSettings(text, file).settings;
  return own === undefined || own === store;
}

/** Throws if a store still has settings of an older version: without them, lists could be open that they close. */
function refuseOldSettings(store: unknown, files: unknown): void {
  if (typeof store !== "string") return;
  const old = `${pathOfFiles(store, typeof files === "string" ? files : undefined)}.conf`;
  if (!existsSync(old)) return;
  throw new Failure(
    `The settings in ${old} are in an old format: urlhash-server migrate-settings --store ${shellWord(store)} writes them into ${SETTINGS_FILE}`,
  );
}

/**
 * Reads the settings again. Throws if a setting at the top of the file in use is no longer there: the file may have
 * been lost or cut off, and without the setting, lists and addresses could be open that it closes.
 */
export async function readSettingsAgain(
  options: SettingsOptions,
  inUse: GivenSettings,
): Promise<GivenSettings> {
  const next = await findSettings(options);
  const lost = inUse.inFile.filter((name) => !next.inFile.includes(name));
  if (lost.length === 0) return next;
  throw new Failure(
    `${next.file} no longer has ${lost.join(", ")}: write a new value, or restart the command to go without`,
  );
}
