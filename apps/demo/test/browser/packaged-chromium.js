import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

const PACKAGE = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..");
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/chromium/", import.meta.url));

/**
 * Unpacks the Chromium that comes as an npm package, and returns its path. The package's own function would run any
 * file named `chromium` in the folder for temporary files, whoever put it there. Only people who can change the tests
 * can write to the cache folder, and a file with its final name is complete.
 */
export async function packagedChromium() {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const path = join(CACHE, `chromium-${version}`);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  await pipeline(
    createReadStream(join(PACKAGE, "bin", "chromium.br")),
    createBrotliDecompress(),
    createWriteStream(unfinished, { mode: 0o700 }),
  );
  await rename(unfinished, path);
  return path;
}
