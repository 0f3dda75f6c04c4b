// Writes the URL of the repository into the manifests, in a workflow that publishes them afterwards. npm shows the URL,
// resolves the links of a README against it, and refuses provenance that names another repository. The workflow knows
// the URL; the repository, which may be hosted anywhere, does not.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const { GITHUB_SERVER_URL = "https://github.com", GITHUB_REPOSITORY } = process.env;
if (!GITHUB_REPOSITORY) process.exit();
const home = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

const folders = readdirSync("packages").map((name) => `packages/${name}`);
for (const folder of [...folders, "apps/cli", "apps/server"]) {
  const file = join(folder, "package.json");
  const manifest = {
    ...JSON.parse(readFileSync(file, "utf8")),
    homepage: `${home}/tree/main/${folder}#readme`,
    bugs: `${home}/issues`,
    repository: { type: "git", url: `git+${home}.git`, directory: folder },
  };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
