import { readdir, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** Names that people and programs give to the folders of web servers and static hosts. */
const NAMES: ReadonlySet<string> = new Set([
  ...(["www", "web", "webroot", "wwwroot", "html", "htdocs", "httpdocs"] as const),
  ...(["public", "public_html", "static", "site", "_site", "dist"] as const),
]);

/** Files that are only there to be served, or to set up a web server or a static host. */
const FILES: ReadonlySet<string> = new Set([
  ...(["index.html", "index.htm", "index.php", "robots.txt", "favicon.ico"] as const),
  ...([".htaccess", ".well-known", ".nojekyll", "cname", "_headers", "_redirects"] as const),
]);

/** A folder that looks as if a web server shows its files, and why. */
export interface ServedFolder {
  readonly folder: string;
  readonly why: string;
}

/** The path without symbolic links. Its last parts need not exist. */
async function withoutLinks(path: string): Promise<string> {
  const found = await realpath(path).catch(() => null);
  const parent = dirname(path);
  return found ?? (parent === path ? path : join(await withoutLinks(parent), basename(path)));
}

/**
 * Returns the highest folder that looks as if it is served, on a path or on the one to which its symbolic links lead;
 * `null` if there is none.
 */
export async function servedFolder(path: string): Promise<ServedFolder | null> {
  const [given, real] = [resolve(path), await withoutLinks(resolve(path))];
  return (await servedAbove(given)) ?? (real === given ? null : servedAbove(real));
}

async function servedAbove(path: string): Promise<ServedFolder | null> {
  // Anything may be in these folders, because people and programs write there without a thought.
  const shared = ["/", homedir(), tmpdir()].map((each) => resolve(each));
  let found: ServedFolder | null = null;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const names = shared.includes(folder) ? [] : await readdir(folder).catch(() => []);
    const file = names.find((name) => FILES.has(name.toLowerCase()));
    if (NAMES.has(basename(folder).toLowerCase())) found = { folder, why: "its name says so" };
    else if (file !== undefined) found = { folder, why: `it has the file ${file}` };
  }
  return found;
}
