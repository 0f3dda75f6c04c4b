import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Context, FAILED, main } from "@x/cli";
import { replaceFile } from "@x/command-line/node";
import { exactExpression } from "@x/expressions";
import { firefoxSettings, type InMemoryServer, serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";
import { CACHE_FOLDER, type PhishingListFile } from "../phishing-list/phishing-list.ts";
import { servePage } from "../server/serve-page.ts";

const CLEAN_URLS = [
  "https://www.wikipedia.org/",
  "https://developer.mozilla.org/en-US/docs/Web/API/URL",
  "https://example.com/login?next=/home",
];

/** A URL of a listed site in a disguise that phishers might use. */
function disguise(host: string): string {
  return `HTTP://me@login.${host.toUpperCase()}:8080/x/../%2561?id#top`;
}

/**
 * Shows the main features to someone who has just cloned the repository. Except in CI, also serves the page and the
 * list until the process is told to stop.
 *
 * @returns the exit status.
 */
export async function tour(list: PhishingListFile, context: Context): Promise<number> {
  const { io, stdout, colours } = context;
  const settings = { defaultLists: [list.file] };
  const begin = (heading: string) =>
    stdout.write(`\n${colours.bold(colours.inverse(` ${heading} `))}\n\n`);
  const shown = (path: string) => relative(process.cwd(), path);
  const run = (...argv: string[]) => main(argv, io, settings);

  const listed = list.hosts.find((host) => host.split(".").length === 2);
  if (listed === undefined) throw new Error("The list has no host name with two labels.");
  const url = disguise(listed);

  async function showChecks(): Promise<number> {
    const [size, sites] = [list.list.size, list.hosts.length].map((n) => n.toLocaleString("en"));
    await begin("Are these URLs on a list of phishing sites?");
    const checked = await run("check", "--", ...CLEAN_URLS, url);
    await stdout.write(`
The list has ${size} hash prefixes of ${sites} phishing sites, which are from the
npm package eth-phishing-detect. Each has 5 bytes, and no name can be read off:
${colours.dim(shown(list.file))}
`);
    await begin("Why is the last one listed?");
    const explained = await run("explain", "--", url);
    await stdout.write(`Try next:
  npm start -- explain "http://3279880203/%2541/../b?q#top"
  npm start -- check ${listed} example.com
  npm start -- hash --bytes 8 https://example.com/a/b?q
  npm start -- serve
  npm start -- --help
`);
    return (checked | explained) & FAILED;
  }

  if (io.env.CI) return showChecks();
  const server = await serveList(list.hosts);
  let status = 0;
  try {
    await servePage({}, context, async (page) => {
      await begin("Where does a link really go? Open this page, and paste one");
      await stdout.write(`${page}\n`);
      status = await showChecks();
      const profile = await writeProfile(CACHE_FOLDER, server);
      await begin("Firefox blocks the site, too");
      await stdout.write(`firefox --profile "${shown(profile)}"

This profile asks ${server.origin}, where the list is served
as Safe Browsing v5 and v4. Wait a few seconds, and open http://${listed}/:
the red warning appears before anything is loaded.

`);
    });
  } finally {
    await server.stop();
  }
  return status;
}

/** A port that is easy to recognize. If the port is taken, any free port is used. */
const PORT = 8018;

/** Serves the list of phishing sites as Safe Browsing v5 and v4. */
export async function serveList(hosts: readonly string[]): Promise<InMemoryServer> {
  const hashes = hosts.map((host) => fullHash(exactExpression(host)));
  const lists = { "social-engineering": hashes };
  return serveInMemory({ lists, port: PORT }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return serveInMemory({ lists, port: 0 });
  });
}

/** Writes a profile of Firefox that uses the list of a server, and returns its folder. */
export async function writeProfile(folder: string, { origin }: InMemoryServer): Promise<string> {
  const profile = join(folder, `firefox-${new URL(origin).port}`);
  await mkdir(profile, { recursive: true });
  const settings = firefoxSettings(origin, "v5", "npm start");
  await replaceFile(join(profile, "user.js"), new TextEncoder().encode(settings), null);
  return profile;
}
