// Publishes the packages that have new versions from `changeset version`: `pnpm release:publish`.
//
// Without a token or the identity of a release workflow, nothing is published: this script packs every package
// and shows what would be sent.
import { spawnSync } from "node:child_process";
import process from "node:process";

const { NODE_AUTH_TOKEN, NPM_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL } = process.env;
const mayPublish = [NODE_AUTH_TOKEN, NPM_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL].some(Boolean);

const command = mayPublish
  ? "changeset publish"
  : "pnpm --recursive publish --dry-run --no-git-checks --access public";
if (!mayPublish) console.log("No token: this is a dry run, which publishes nothing.\n");

const { status } = spawnSync(command, { stdio: "inherit", shell: true });
process.exitCode = status ?? 1;
