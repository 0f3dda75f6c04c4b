import { collect, Failure } from "@x/command-line";
import { inputRecord, inputText } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable, printableInShort, printableJson } from "@x/explain/printable";
import type { Refusal as RowRefusal } from "@x/list-source";
import type { LineBlock } from "@x/lookup/lines";
import { urnProblem } from "@x/urn";
import { namespaceChecks } from "@x/urn/namespaces";
import { type UrnIssue, type UrnSchema, urn as urnSchema } from "@x/urn/schema";
import type { Command } from "commander";
import type { Context, Io } from "../../context.ts";
import { refuseWithoutLines } from "../../input/foreign-input.ts";
import { fileLines, filesOf, readBlocks } from "../../input/read-file.ts";
import { columnOf, tableReader } from "../../input/tables.ts";
import { writeBlocks } from "../../output/blocks.ts";
import {
  addFormatOptions,
  type Format,
  type FormatOptions,
  FRAMES,
  formatOf,
} from "../../output/format.ts";
import { fill, pointAt } from "../../output/layout.ts";
import type { Block } from "../../output/results.ts";
import { addSyntaxOption, hintAtSyntax, inShell, type SyntaxOptions, withCaret } from "./syntax.ts";

interface UrnCheckOptions extends FormatOptions, SyntaxOptions {
  readonly namespace?: readonly string[];
  readonly column?: string | number;
}

const HELP = `
Each line is one URN, in UTF-8; blank lines are skipped. With --column, files
are tables (CSV, TSV, or with semicolons): give the name of the column in the
header, or its number if the table has no header. Empty fields are skipped.
A URN must follow --syntax and the rules of its namespace, such as that for a
check digit. There are rules for
${fill(Object.keys(namespaceChecks).join(", ").split(" "), 78).join("\n")}.
Whether a name was ever assigned is not checked.
Text: file:line:column: and what is wrong, with a caret below the text. Lines
and columns count from 1, columns in characters.
JSON: { "file", "line", "column", "urn", "error": { "code", "message", "index",
"section" } }. "column" is null when the place in a row is not certain.
A line on stderr says how many URNs were checked.

Exit status:
  0  no problem was found
  2  failure: bad usage, unreadable file, no such column
  4  some input is not a URN, or breaks a rule; the rest was checked

Examples:
  $ urlhash urn check urns.txt
  $ urlhash urn check --namespace nbn --namespace isbn --column id records.csv
  $ urlhash urn check --syntax rfc8141 data/urns.txt`;

/** The column of a problem, from 1; `null` when it is not known. */
function columnIn({ start, text, error }: Problem): number | null {
  if (start === null || typeof text !== "string") return null;
  return start + charactersBefore(text, error.index!) + 1;
}

function urnProblemText(
  { isUnreadable, line, text, shown }: Problem,
  file: string,
  column: number | null,
): string {
  const name = file === "-" ? "" : `${printable(file)}:`;
  const place = `${name}${line}:${column === null ? "" : `${column}:`}`;
  // A message about bytes that are not UTF-8 already quotes the bytes.
  const isRow = isUnreadable && typeof text === "string";
  return `${place} ${shown}${isRow ? `\n    ${printableInShort(text)}` : ""}\n`;
}

/** Formats a problem, preceded by the separator of the format. */
function written(problem: Problem, file: string, format: Format): string {
  const { line, text, error } = problem;
  const column = columnIn(problem);
  if (format === "text") return urnProblemText(problem, file, column);
  const { beforeOthers, after } = FRAMES[format];
  const place = { file: file === "-" ? undefined : file, line, column };
  return beforeOthers + printableJson({ ...place, ...inputRecord(text, "urn"), error }) + after;
}

async function* checkFiles(
  files: readonly string[],
  checkerOf: (file: string) => InputChecker,
  format: Format,
  io: Io,
): AsyncGenerator<Block> {
  for (const file of files) {
    const checker = checkerOf(file);
    let bytes = 0;
    const blockOf = ({ problems, checked }: CheckedInput): Block => {
      const out = problems.map((problem) => written(problem, file, format)).join("");
      const counts = { inputs: checked, listed: 0, refused: problems.length, unsure: 0, bytes };
      bytes = 0;
      return { out, errors: "", ...counts };
    };
    const onRead = (read: number): void => {
      bytes += read;
    };
    const blocks = readBlocks(file, io, onRead, (start) => refuseWithoutLines(start, file));
    for await (const block of blocks) yield blockOf(checker.read(block));
    yield blockOf(checker.end());
  }
}

export function registerUrnCheck(urn: Command, context: Context): void {
  const command = urn
    .command("check")
    .description("Check that lines, or a column of tables, are URNs.")
    .argument("[file...]", 'files of URNs (default: stdin); "-" is stdin');
  addSyntaxOption(command)
    .option(
      "--namespace <nid>",
      "accept only URNs of this namespace; may be given more than once",
      collect,
    )
    .option("--column <column>", "the column of a table, by its name or number", columnOf);
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (args: string[], options: UrnCheckOptions) => {
      const { syntax, namespace, column } = options;
      const { io, stderr, columns } = context;
      const format = formatOf(options);
      for (const nid of namespace ?? []) checkNid("--namespace", nid, { syntax });
      const files = filesOf(args, io);
      const schema = urnSchema({ syntax, nids: namespace, checks: true });
      const checks = { schema, syntax, columns };
      const checkerOf = (file: string): InputChecker =>
        column === undefined ? lineChecker(checks) : columnChecker(column, file, checks);
      const blocks = checkFiles(files, checkerOf, format, io);
      const total = { checked: 0, problems: 0 };
      const onBlock = ({ inputs, refused }: Block): void => {
        total.checked += inputs;
        total.problems += refused;
      };
      const file = files.length === 1 ? files[0]! : null;
      await writeBlocks(blocks, { format, file, onBlock }, context);
      const urns = counted(total.checked, "URN", "URNs");
      const problems = counted(total.problems, "problem", "problems");
      await stderr.write(`urlhash: ${urns} checked, ${problems}\n`);
    });
}

/** @throws {Failure} when the value of an option is not a NID. */
function checkNid(option: string, nid: string, { syntax }: SyntaxOptions): void {
  const problem = urnProblem(`urn:${nid}:a`, { syntax });
  if (problem !== null) {
    throw new Failure(`${option} is not a namespace: ${printable(problem.message)}`);
  }
  if (nid.includes(":")) throw new Failure(`${option} ${printable(nid)} has a ":" in it`);
}

/** A problem with a URN, a line or a row. */
interface Problem {
  /** Whether the line or the row could not be read. */
  readonly isUnreadable: boolean;
  readonly line: number;
  /** The number of characters before the URN in its line; `null` when that number is not known. */
  readonly start: number | null;
  /** The URN, or the text in its place. */
  readonly text: string | Uint8Array;
  readonly error: UrnIssue;
  /** One or more printable lines for people, in place of the error message. */
  readonly shown: string;
}

/** Checks the URNs in a file. The returned problems are valid only until the next block. */
interface InputChecker {
  readonly read: (block: LineBlock) => CheckedInput;
  readonly end: () => CheckedInput;
}

interface CheckedInput {
  readonly problems: readonly Problem[];
  /** The number of URNs, including lines and rows that could not be read. */
  readonly checked: number;
}

/** The rules that URNs are checked against, and the width of messages. */
interface UrnChecks extends SyntaxOptions {
  readonly schema: UrnSchema;
  /** The width of the terminal in columns; `null` if the width is not known. */
  readonly columns: number | null;
}

/** The number of characters (code points) before an index in UTF-16 code units. */
const charactersBefore = (text: string, index: number): number => [...text.slice(0, index)].length;

type UrnProblem = Pick<Problem, "isUnreadable" | "text" | "error" | "shown">;

function problemsOf(text: string, { schema, syntax, columns }: UrnChecks): UrnProblem[] {
  const { issues = [] } = schema["~standard"].validate(text);
  return issues.map(inShell).map((error) => {
    const problem = urnProblem(text, { syntax });
    if (problem !== null) {
      const shown = withCaret({ error: problem }, text, columns).text!;
      return { isUnreadable: false, text, error, shown };
    }
    const section = error.section === null ? "" : ` (${error.section})`;
    const [sentence] = error.message.split(/\.(?: |$)/);
    const said = printable(`${sentence}${section}`) + hintAtSyntax(error);
    const shown = [said, ...pointAt(text, error.index!, columns)].join("\n");
    return { isUnreadable: false, text, error, shown };
  });
}

function unreadable(
  line: number,
  text: string | Uint8Array,
  { code, message }: Pick<UrnIssue, "code" | "message">,
): Problem {
  const error = { code, message, index: null, section: null };
  return { isUnreadable: true, line, start: null, text, error, shown: printable(message) };
}

/** Makes a checker for files with one URN on each line. */
function lineChecker(checks: UrnChecks): InputChecker {
  return {
    read(block) {
      const problems: Problem[] = [];
      let checked = 0;
      for (const { number, bytes } of fileLines(block)) {
        checked++;
        const text = inputText(bytes);
        if (typeof text !== "string") problems.push(unreadable(number, bytes, text.error));
        else {
          for (const problem of problemsOf(text, checks)) {
            problems.push({ ...problem, line: number, start: 0 });
          }
        }
      }
      return { problems, checked };
    },
    end: () => ({ problems: [], checked: 0 }),
  };
}

/** The number of characters before a URN in its line; `null` unless its text occurs exactly once in the line. */
function startIn(line: string, text: string): number | null {
  const index = line.indexOf(text);
  const isCertain = index >= 0 && line.lastIndexOf(text) === index;
  return isCertain ? charactersBefore(line, index) : null;
}

/**
 * Makes a checker for one column of a table. Its method `read` throws a {@link Failure} when the table does not have
 * the column, or has several of that name.
 */
function columnChecker(column: string | number, file: string, checks: UrnChecks): InputChecker {
  let problems: Problem[] = [];
  let checked = 0;
  let current = { text: "", number: 0 };

  const reader = tableReader(file, printable, {
    column,
    accepts: (text) => /^urn:/i.test(text),
    onValue(text, line) {
      checked++;
      for (const problem of problemsOf(text, checks)) {
        problems.push({
          ...problem,
          line,
          start: line === current.number ? startIn(current.text, text) : null,
        });
      }
    },
    onRefusal({ code, line, text, expected, lines }: RowRefusal) {
      if (code === "field-empty") return;
      checked++;
      const row = lines === 1 ? "the row" : `the row of ${lines} lines`;
      const message = `${row} cannot be read: expected ${expected}`;
      problems.push(unreadable(line, text, { code, message }));
    },
  });

  function take(): CheckedInput {
    const taken = { problems, checked };
    problems = [];
    checked = 0;
    return taken;
  }

  return {
    read(block) {
      for (const { number, bytes } of fileLines(block)) {
        const text = inputText(bytes);
        if (typeof text === "string") {
          current = { text, number };
          reader.line(text, number);
        } else {
          reader.end();
          checked++;
          problems.push(unreadable(number, bytes, text.error));
        }
      }
      return take();
    },
    end() {
      reader.end();
      return take();
    },
  };
}
