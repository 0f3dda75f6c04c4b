// A tarball may contain only the unchanged files of a package in the repository, the files that are built from them,
// and the package's manifest as pnpm packs it.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryFields } from "./repository-fields.js";

/** The scripts that npm, pnpm or yarn run when somebody installs a package. */
const INSTALL_SCRIPTS = [
  ...["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"],
  ...["preuninstall", "uninstall", "postuninstall", "dependencies"],
];
/** Scripts that pnpm removes from the manifests that it packs. */
const SCRIPTS_OF_PACKING = [
  ...["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"],
];
const DEPENDENCIES = ["dependencies", "optionalDependencies", "peerDependencies"];

/** The versions in the catalog of pnpm-workspace.yaml, by name. */
function catalog() {
  const [, block] = /^catalog:\n((?: .*\n|\n)*)/m.exec(readFileSync("pnpm-workspace.yaml", "utf8"));
  const entries = block.matchAll(/^ {2}"?([^":\s]+)"?: "?([^"\s]+)"?$/gm);
  return new Map([...entries].map(([, name, version]) => [name, version]));
}

/** A version in a manifest as pnpm packs it. */
function packedVersion(name, version, versions) {
  if (version === "catalog:") return catalog().get(name);
  if (!version.startsWith("workspace:")) return version;
  const range = version.slice("workspace:".length);
  return /^[\^~*]$/.test(range) ? range.replace("*", "") + versions.get(name) : range;
}

/** The manifest of a package in the repository, as pnpm packs it, without development dependencies. */
function packedManifest({ folder, manifest }, versions) {
  const { publishConfig, devDependencies, ...packed } = {
    ...manifest,
    ...repositoryFields(folder),
    ...manifest.publishConfig,
  };
  if (packed.scripts) {
    packed.scripts = { ...packed.scripts };
    for (const name of SCRIPTS_OF_PACKING) delete packed.scripts[name];
  }
  for (const field of DEPENDENCIES) {
    if (packed[field] === undefined) continue;
    packed[field] = Object.fromEntries(
      Object.entries(packed[field]).map(([name, version]) => [
        name,
        packedVersion(name, version, versions),
      ]),
    );
  }
  return packed;
}

/** The files of the repository that a package includes, by their names in the package. */
function sourcesOf({ folder, manifest }) {
  const sources = new Map();
  const add = (name, path = join(folder, name)) => {
    if (existsSync(path)) sources.set(name, path);
  };
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md"]) add(name);
  if (!sources.has("LICENSE")) add("LICENSE", "LICENSE");
  for (const entry of manifest.files ?? []) {
    if (isBuilt(entry)) continue;
    const path = join(folder, entry);
    if (!existsSync(path)) continue;
    if (statSync(path).isFile()) {
      add(entry);
      continue;
    }
    for (const each of readdirSync(path, { recursive: true, withFileTypes: true })) {
      const inside = join(each.parentPath ?? each.path, each.name);
      if (each.isFile()) add(inside.slice(folder.length + 1).replaceAll("\\", "/"), inside);
    }
  }
  return sources;
}

const isBuilt = (name) => /^dist(?:\/|$)/.test(name);
/** Whether a source is generated when the workspace is installed, and so is not in the repository. */
const isGenerated = (name) => /^src\/.*\.generated\.ts$/.test(name);

/** Whether checks/set-up/bundle.js makes a module: an entry point, or a file that entry points share. */
function isBundled(module, { exports }) {
  const file = `./dist/${module}.js`;
  return (
    Object.values(exports ?? {}).some(({ node }) => node === file) ||
    /^\.\/dist\/bundled\/shared\/[\w-]+\.js$/.test(file)
  );
}

/** Whether a file is built from the sources in the tarball. */
function isBuiltFrom(name, packed, manifest) {
  if (!isBuilt(name)) return false;
  const command = Object.keys(manifest.bin ?? {});
  if (command.some((each) => name === `dist/${each}.1`)) return true;
  // The command `urlhash` is bundled, and its sources are not in the package.
  if (!manifest.files.includes("src")) return name.endsWith(".js") || name === "dist/licenses.md";
  const [, module] = /^dist\/(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(name) ?? [];
  return module !== undefined && (packed.has(`src/${module}.ts`) || isBundled(module, manifest));
}

/** Why a tarball must not be published, or `null`. `files` are the files in it. */
export function problemWith(files, source, versions) {
  const { name, version } = source.manifest;
  if (!files.has("package.json")) return "has no package.json";
  const packed = JSON.parse(files.get("package.json"));
  if (packed.name !== name || packed.version !== version) {
    return `holds ${packed.name} ${packed.version}, not ${name} ${version}`;
  }
  const script = INSTALL_SCRIPTS.find((each) => packed.scripts?.[each] !== undefined);
  if (script !== undefined) return `would run a script (${script}) when it is installed`;
  const { devDependencies, ...shown } = packed;
  const expected = packedManifest(source, versions);
  for (const field of new Set([...Object.keys(shown), ...Object.keys(expected)])) {
    // The order of the members of `exports` matters.
    if (JSON.stringify(shown[field]) !== JSON.stringify(expected[field])) {
      return `has other ${field} than the repository`;
    }
  }
  const sources = sourcesOf(source);
  for (const [file, path] of sources) {
    if (!files.has(file)) return `lacks ${file}`;
    if (!readFileSync(path).equals(files.get(file)))
      return `has another ${file} than the repository`;
  }
  for (const file of files.keys()) {
    const isExpected =
      file === "package.json" ||
      sources.has(file) ||
      (source.manifest.files?.includes("src") && isGenerated(file)) ||
      isBuiltFrom(file, files, source.manifest);
    if (!isExpected) return `has a file that does not belong to the package: ${file}`;
  }
  const entry = Object.values(packed.bin ?? {}).find((each) => !files.has(each.replace("./", "")));
  return entry === undefined ? null : `lacks ${entry}`;
}
