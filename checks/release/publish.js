// Publishes what `changeset version` has given new versions: `pnpm release:publish`.
//
// Without a token, and without the identity that a release workflow is given, nothing is published: every
// package is packed and what would be sent is shown.
import { spawnSync } from "node:child_process";
import process from "node:process";

const { NODE_AUTH_TOKEN, NPM_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL } = process.env;
const mayPublish = [NODE_AUTH_TOKEN, NPM_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL].some(Boolean);

const command = mayPublish
  ? "changeset publish"
  : "pnpm --recursive publish --dry-run --no-git-checks --access public";
if (!mayPublish) console.log("No token: a dry run, which publishes nothing.\n");

const { status } = spawnSync(command, { stdio: "inherit", shell: true });
process.exitCode = status ?? 1;
