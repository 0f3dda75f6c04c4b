import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderOf } from "./package-layers.ts";

/** The folder of the repository, with a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The text of a document with each line break as a space, so that a sentence can be searched for. */
export function readProse(document: string): string {
  return readFileSync(join(ROOT, document), "utf8").replace(/\s+/g, " ");
}

/** The source files of a package, as paths from its folder. */
export function sourceFiles(name: string): string[] {
  return readdirSync(join(ROOT, folderOf(name), "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file));
}

/** The files of the repository, as paths from its folder: tracked files, and new ones that git does not ignore. */
export function trackedFiles(): string[] {
  return execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(ROOT, file)));
}
