import { type Command, Option } from "commander";

/** The format of a file that is searched for links. */
export type LinkFormat = "text" | "html" | "markdown" | "mail";

const FORMATS: readonly LinkFormat[] = ["text", "html", "markdown", "mail"];
/** The format for each file ending, in lower case. */
export const ENDINGS: Readonly<Record<string, LinkFormat>> = {
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".svg": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".eml": "mail",
  // Mailboxes of several emails are refused.
  ".mbox": "mail",
  ".mbx": "mail",
};

/** `--as`: the format of files that are searched for links. */
export function addAsOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--as <format>",
      "how to read the file (default: by its extension, or its headers if it is an email)",
    ).choices(FORMATS),
  );
}

export const LINK_FORMATS_HELP = `The extension of a file says how it is read: .html, .htm, .xhtml and .svg as
HTML, .md and .markdown as Markdown, and .eml as an email. Any other file, and
stdin, is an email if it begins with the headers of one, HTML if it begins with
<!DOCTYPE, <html> or <?xml, and otherwise text. --as overrides this. Text is in
UTF-8. UTF-16, compressed files and mailboxes of several emails are refused, and
so are PDF, RTF and other documents, and calendars and contacts without --as.
Text, HTML and Markdown are searched as they arrive, with constant memory. Of an
email, the first 64 MiB are searched.`;
