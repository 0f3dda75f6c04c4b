import process from "node:process";

/**
 * The fields of a manifest that name the repository. Outside a workflow, there are none. npm shows the URL, resolves
 * the links of a README against it, and refuses provenance that names another repository. The workflow knows the URL;
 * the repository, which may be hosted anywhere, does not.
 */
export function repositoryFields(folder) {
  const { GITHUB_SERVER_URL = "https://github.com", GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_REPOSITORY) return {};
  const home = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  return {
    homepage: `${home}/tree/main/${folder}#readme`,
    bugs: `${home}/issues`,
    repository: { type: "git", url: `git+${home}.git`, directory: folder },
  };
}
