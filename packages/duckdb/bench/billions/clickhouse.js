// ClickHouse's engine, set up as in docs/examples/clickhouse.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";

/** Returns a `require` function that resolves packages from `folder`. */
const requireFrom = (folder) => createRequire(join(resolve(folder), "index.js"));

/** @throws Error when the package `chdb` is not installed in `folder`. */
export function checkChdb(folder) {
  requireFrom(folder).resolve("chdb");
}

/** Reads a file of the example and replaces the folder that the file names. */
function example(name, theirs, ours) {
  const file = new URL(`../../../../docs/examples/clickhouse/${name}`, import.meta.url);
  const text = readFileSync(file, "utf8");
  if (!text.includes(theirs)) throw new Error(`${name} does not name ${theirs}`);
  return text.replaceAll(theirs, ours);
}

/** Writes the number and the verdict of each row of `parquet` to `result`, in any order. */
export function checkInClickHouse({ chdb, urlhash, list, parquet, result }) {
  const folder = `${result}-clickhouse`;
  const path = (name) => join(folder, name);
  mkdirSync(path("bin"), { recursive: true });
  const command = `#!/bin/sh\nexec '${process.execPath}' '${urlhash}' "$@"\n`;
  writeFileSync(path("bin/urlhash"), command, { mode: 0o755 });
  process.env.PATH = [path("bin"), process.env.PATH].join(delimiter);
  writeFileSync(
    path("urlhash_function.xml"),
    example("urlhash_function.xml", "/var/lib/urlhash", dirname(list)),
  );
  writeFileSync(path("urlhash.xml"), example("urlhash.xml", "/etc/clickhouse-server", folder));
  const { Session } = requireFrom(chdb)("chdb");
  const connectionArgs = [`--config-file=${path("urlhash.xml")}`];
  const session = new Session(path("data"), { connectionArgs });
  // Without a limit, ClickHouse reads Parquet far ahead. Without `pread`, mapped files would count as memory.
  session.query(
    `INSERT INTO FUNCTION file('${result}', TSV, 'n UInt64, verdict Nullable(String)')
      SELECT n, urlVerdict(url) FROM file('${parquet}', Parquet)
      SETTINGS engine_file_truncate_on_insert = 1, storage_file_read_method = 'pread',
        input_format_parquet_memory_high_watermark = 100000000`,
  );
}
