// Names the versions that `pnpm publish --report-summary` has published, for the job that tags them.
import { appendFileSync, readFileSync } from "node:fs";
import process from "node:process";

const { publishedPackages } = JSON.parse(readFileSync("pnpm-publish-summary.json", "utf8"));
const tags = publishedPackages.map(({ name, version }) => `${name}@${version}`);
appendFileSync(process.env.GITHUB_OUTPUT, `tags=${tags.join(" ")}\n`);
