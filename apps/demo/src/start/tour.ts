import { relative } from "node:path";
import { createContext, type Io } from "../cli/context.ts";
import { FAILED } from "../cli/exit-status.ts";
import { main } from "../cli/main.ts";
import type { RealList } from "./real-list.ts";

const CLEAN_URLS = [
  "https://www.wikipedia.org/",
  "https://developer.mozilla.org/en-US/docs/Web/API/URL",
  "https://example.com/login?next=/home",
];

/** A listed site as those who run it would send it round: it does not look like its name on the list. */
function disguise(host: string): string {
  return `HTTP://me@login.${host.toUpperCase()}:8080/x/../%2561?id#top`;
}

/** The main job, shown to somebody who has just installed this. */
export async function tour({ hosts, list, file }: RealList, io: Io): Promise<number> {
  const { stdout, colours } = createContext(io, [], () => {});
  const settings = { defaultLists: [file] };
  const heading = (text: string): string => `\n${colours.bold(colours.inverse(` ${text} `))}\n\n`;

  const listed = hosts.find((host) => host.split(".").length === 2);
  if (listed === undefined) throw new Error("The list holds no name of two labels.");
  const url = disguise(listed);

  await stdout.write(heading("1  A list of hash prefixes"));
  await stdout.write(
    `${list.size.toLocaleString("en")} prefixes of ${hosts.length.toLocaleString("en")} phishing sites that the npm package\n` +
      `eth-phishing-detect names, 4 octets each; no name is in the list itself.\n${colours.dim(relative(process.cwd(), file))}\n`,
  );

  await stdout.write(heading("2  Are these URLs on it?"));
  const checked = await main(["check", "--", ...CLEAN_URLS, url], io, settings);

  await stdout.write(heading("3  Why the last one is"));
  const explained = await main(["explain", "--", url], io, settings);

  await stdout.write(
    `${heading("Try next").slice(1)}  npm start -- explain "http://3279880203/%2541/../b?q#top"
  npm start -- check ${listed} example.com
  npm start -- hash --bits 64 https://example.com/a/b?q
  npm start -- serve
  npm start -- --help
${io.env.CI ? "" : heading("4  The same in a browser")}`,
  );
  return (checked | explained) & FAILED;
}
