import { type Command, Option } from "commander";

/** The format of a file that is searched for links. */
export type LinkFormat = "text" | "html" | "markdown" | "calendar" | "mail" | "mbox";

const FORMATS: readonly LinkFormat[] = ["text", "html", "markdown", "calendar", "mail", "mbox"];
/** The format for each file ending, in lower case. */
export const ENDINGS: Readonly<Record<string, LinkFormat>> = {
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".svg": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".ics": "calendar",
  ".vcf": "calendar",
  ".eml": "mail",
  ".mbox": "mbox",
  ".mbx": "mbox",
};

/** `--as`: the format of files that are searched for links. */
export function addAsOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--as <format>",
      "how to read the file (default: by its ending, or its headers if it is a mail)",
    ).choices(FORMATS),
  );
}

export const LINK_FORMATS_HELP = `A file is read by its ending: .html, .htm, .xhtml and .svg as HTML, .md and
.markdown as Markdown, .ics and .vcf as calendars or contacts, .eml as a mail,
and .mbox and .mbx as several mails. Any other file, and stdin, is a mail or
several if it begins with the headers of a mail, a calendar or contacts if it
begins with BEGIN:VCALENDAR or BEGIN:VCARD, HTML if it begins with <!DOCTYPE,
<html> or <?xml, and otherwise text. --as says how to read it instead. Text is
in UTF-8; UTF-16 and compressed files are refused, and so are PDF, RTF and other
documents without --as. Text, HTML and Markdown are searched as they arrive,
with constant memory. Of each mail, calendar and file of contacts, 64 MiB are
searched.`;
