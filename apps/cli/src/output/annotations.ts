import { printable } from "@x/explain/printable";

/** A remark about a place in a file. */
export interface Annotation {
  readonly level: "notice" | "error";
  /** The message, in printable characters. */
  readonly message: string;
  /** The name of the file, or `-` for stdin. */
  readonly file: string;
  readonly line: number;
  /** The column of the first character, from 1; `null` when the column is not known. */
  readonly column: number | null;
}

/**
 * The line that makes a GitHub workflow show an annotation.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function workflowCommand({ level, file, line, column, message }: Annotation): string {
  const properties = [
    ...(file === "-" ? [] : [`file=${escapeProperty(printable(file))}`]),
    `line=${line}`,
    ...(column === null ? [] : [`col=${column}`]),
  ];
  return `::${level} ${properties.join(",")}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
