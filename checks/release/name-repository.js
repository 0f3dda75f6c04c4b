// Writes the repository URL into the manifests, in a workflow that publishes them afterwards.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFields } from "./repository-fields.js";

const folders = readdirSync("packages").map((name) => `packages/${name}`);
for (const folder of [...folders, "apps/cli", "apps/server"]) {
  const fields = repositoryFields(folder);
  if (Object.keys(fields).length === 0) continue;
  const file = join(folder, "package.json");
  const manifest = { ...JSON.parse(readFileSync(file, "utf8")), ...fields };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
