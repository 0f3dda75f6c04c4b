import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "@x/command-line";
import { printable, printableJson } from "@x/explain/printable";
import type { Frame } from "./frame.ts";

/** The rules to which annotations refer, with their descriptions in SARIF logs. */
const RULES = {
  "urn-found": "A URN in running text.",
  "text-unsearched": "A part of a text that was not searched for URNs.",
  "urn-syntax": "A URN follows the grammar of RFC 2141 or RFC 8141.",
  "urn-namespace":
    "A URN is in one of the namespaces that were asked for, and follows the rules of its namespace.",
  "input-unreadable": "Each line is text in UTF-8, and each row of a table has the column.",
} as const;

/** A remark about a place in a file, for editors and for continuous integration. */
export interface Annotation {
  readonly rule: keyof typeof RULES;
  readonly level: "note" | "error";
  /** The message, in printable characters. */
  readonly message: string;
  /** The name of the file, or `-` for stdin. */
  readonly file: string;
  readonly line: number;
  /** The column of the first character, from 1; `null` when the column is not known. */
  readonly column: number | null;
  /** The column after the last character, on the same line; `null` when the column is not known. */
  readonly endColumn: number | null;
  /** Additional members, for programs. */
  readonly properties: object;
}

/** @throws {Failure} when stdin is read and the format is SARIF, in which each result names its file. */
export function checkAnnotated(format: string, files: readonly string[]): void {
  if (format === "sarif" && files.includes("-")) {
    throw new Failure("--format sarif says which file a result is in: name files instead of stdin");
  }
}

/** An annotation as a GitHub workflow command, or as a result in a SARIF log, after a separator. */
export function annotationText(format: "github" | "sarif", annotation: Annotation): string {
  return format === "github"
    ? `${workflowCommand(annotation)}\n`
    : `${SARIF_FRAME.beforeOthers}${printableJson(sarifResult(annotation))}`;
}

/**
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
function workflowCommand({ level, file, line, column, message }: Annotation): string {
  const properties = [
    ...(file === "-" ? [] : [`file=${escapeProperty(printable(file))}`]),
    `line=${line}`,
    ...(column === null ? [] : [`col=${column}`]),
  ];
  return `::${level === "note" ? "notice" : level} ${properties.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** @see SARIF 2.1.0 §3.27 */
function sarifResult(annotation: Annotation): object {
  const { rule, level, message, file, line, column, endColumn, properties } = annotation;
  // JSON leaves out members that are undefined.
  const region = {
    startLine: line,
    startColumn: column ?? undefined,
    endColumn: endColumn ?? undefined,
  };
  return {
    ruleId: rule,
    ruleIndex: Object.keys(RULES).indexOf(rule),
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
    properties,
  };
}

/** Converts the name of a file to a URI, which is relative if the name is relative. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  const path = process.platform === "win32" ? file.replaceAll("\\", "/") : file;
  return path.split("/").map(encodeURIComponent).join("/");
}

const DRIVER = {
  name: "urlhash",
  rules: Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } })),
};

const SARIF_START = `{
"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
"version": "2.1.0",
"runs": [{
"tool": ${JSON.stringify({ driver: DRIVER })},
"columnKind": "unicodeCodePoints",
"results": [`;

/** The text around results in SARIF. @see SARIF 2.1.0 §3.13 and §3.14 */
export const SARIF_FRAME: Frame = {
  beforeFirst: `${SARIF_START}\n`,
  beforeOthers: ",\n",
  after: "",
  end: "\n]\n}]\n}\n",
  endOfNone: `${SARIF_START}]\n}]\n}\n`,
};
