import { inputText } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Refusal as RowRefusal } from "@x/list-source";
import type { LineBlock } from "@x/lookup/lines";
import { urnProblem } from "@x/urn";
import type { UrnIssue, UrnSchema } from "@x/urn/schema";
import { tableReader } from "../../input/column.ts";
import { fileLines } from "../../input/read-file.ts";
import { pointAt } from "../../output/caret.ts";
import { hintAtSyntax, inShell, type SyntaxOptions, withCaret } from "./urn-command.ts";

/** A problem with a URN, a line or a row. */
export interface Problem {
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
export interface InputChecker {
  readonly read: (block: LineBlock) => CheckedInput;
  readonly end: () => CheckedInput;
}

export interface CheckedInput {
  readonly problems: readonly Problem[];
  /** The number of URNs, including lines and rows that could not be read. */
  readonly checked: number;
}

/** The rules that URNs are checked against, and the width of messages. */
export interface UrnChecks extends SyntaxOptions {
  readonly schema: UrnSchema;
  /** The width of the terminal in columns; `null` if the width is not known. */
  readonly columns: number | null;
}

/** The number of characters (code points) before an index in UTF-16 code units. */
export const charactersBefore = (text: string, index: number): number =>
  [...text.slice(0, index)].length;

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
export function lineChecker(checks: UrnChecks): InputChecker {
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
export function columnChecker(
  column: string | number,
  file: string,
  checks: UrnChecks,
): InputChecker {
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
