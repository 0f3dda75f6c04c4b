import { relative } from "node:path";
import { type Context, FAILED, main } from "@x/cli";
import type { PhishingListFile } from "../phishing-list/list-file.ts";

const CLEAN_URLS = [
  "https://www.wikipedia.org/",
  "https://developer.mozilla.org/en-US/docs/Web/API/URL",
  "https://example.com/login?next=/home",
];

/** A URL of a listed site in a disguise that phishers might use. */
function disguise(host: string): string {
  return `HTTP://me@login.${host.toUpperCase()}:8080/x/../%2561?id#top`;
}

/** A heading, which stands out from the other lines. */
export function headingOf(text: string, colours: Context["colours"]): string {
  return `\n${colours.bold(colours.inverse(` ${text} `))}\n\n`;
}

/** Shows the main features to someone who has just cloned the repository. @returns the exit status. */
export async function tour(
  { hosts, list, file }: PhishingListFile,
  { io, stdout, colours }: Context,
): Promise<number> {
  const settings = { defaultLists: [file] };
  const heading = (text: string): string => headingOf(text, colours);

  const listed = hosts.find((host) => host.split(".").length === 2);
  if (listed === undefined) throw new Error("The list has no host name with two labels.");
  const url = disguise(listed);

  await stdout.write(heading("1  A list of hash prefixes"));
  await stdout.write(
    `${list.size.toLocaleString("en")} hash prefixes of ${hosts.length.toLocaleString("en")} phishing sites from the npm package\n` +
      `eth-phishing-detect. Each is 4 bytes long, and the list has no names in it.\n${colours.dim(relative(process.cwd(), file))}\n`,
  );

  await stdout.write(heading("2  Are these URLs on the list?"));
  const checked = await main(["check", "--", ...CLEAN_URLS, url], io, settings);

  await stdout.write(heading("3  Why is the last one listed?"));
  const explained = await main(["explain", "--", url], io, settings);

  await stdout.write(
    `${heading("Try next").slice(1)}  npm start -- explain "http://3279880203/%2541/../b?q#top"
  npm start -- check ${listed} example.com
  npm start -- hash --bytes 8 https://example.com/a/b?q
  npm start -- serve
  npm start -- --help
`,
  );
  return (checked | explained) & FAILED;
}
