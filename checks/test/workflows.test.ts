import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./repository.ts";

/** Checks the permissions of the GitHub workflows. */

type Rights = Readonly<Record<string, string>>;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions?: Rights;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if?: string;
        readonly permissions?: Rights;
        readonly container?: { readonly image: string };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const folder = join(ROOT, ".github", "workflows");
const workflows = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

/** The permissions of a job, without those that only allow reading. */
function rightsOf({ permissions = {} }: Workflow, job: { readonly permissions?: Rights }) {
  const rights = Object.entries(job.permissions ?? permissions);
  return rights.filter(([, right]) => right !== "read").map(([name]) => name);
}

describe.each(workflows)("%s", (file) => {
  const workflow = parse(textOf(file)) as Workflow;
  const jobs = Object.entries(workflow.jobs);

  test("grants nothing but reading to jobs that do not ask for more", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test("pins every action by commit hash, with a comment that names the version", () => {
    const uses = textOf(file).match(/\buses:.*/g) ?? [];
    expect(uses).toHaveLength(
      jobs.flatMap(([, { steps }]) => steps.filter((step) => step.uses)).length,
    );
    for (const use of uses) {
      expect(use).toMatch(/^uses: [a-z-]+\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test("runs code of dependencies only where there is no right to publish", () => {
    for (const [name, job] of jobs) {
      if (!rightsOf(workflow, job).includes("id-token")) continue;
      expect(rightsOf(workflow, job), name).toEqual(["id-token"]);
      for (const { uses = "", run, with: inputs } of job.steps) {
        expect(inputs ?? {}, name).not.toHaveProperty("cache");
        if (run === undefined) expect(uses, name).toMatch(/^actions\//);
        else if (run.startsWith("npx "))
          expect(run, name).toMatch(/^npx (?:--yes )?pnpm.* --ignore-scripts\b/);
        else
          expect(run, name).toMatch(
            /^node checks\/release\/[a-z-]+\.js(?: "\$RUNNER_TEMP\/built")?$/,
          );
      }
    }
  });

  test("keeps the token of the repository from jobs that only read", () => {
    for (const [name, job] of jobs) {
      if (rightsOf(workflow, job).includes("contents")) continue;
      const checkouts = job.steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      for (const { with: inputs } of checkouts) {
        expect(inputs?.["persist-credentials"], name).toBe(false);
      }
    }
  });
});

test("the code of pull requests runs in no container, and only merged code gets rights in one", () => {
  const { jobs } = parse(textOf("ci.yml")) as Workflow;
  const contained = Object.entries(jobs).filter(([, { container }]) => container !== undefined);
  expect(contained.map(([name, job]) => [name, job.if])).toEqual([
    ["everything", "github.event_name != 'pull_request'"],
  ]);
  // Both jobs run the same command, one of them with --all every night.
  const runs = Object.entries(jobs).filter(([, { steps }]) =>
    steps.some(({ run }) => run?.startsWith(".ci/run")),
  );
  expect(runs.map(([name]) => name)).toEqual(["pull-request", "everything"]);
  for (const file of workflows.filter((each) => each !== "ci.yml")) {
    const others = parse(textOf(file)) as Workflow;
    for (const { container } of Object.values(others.jobs)) expect(container).toBeUndefined();
  }
  expect(textOf("ci.yml")).not.toMatch(/pull_request_target|workflow_run|secrets\./);
});

test("the packages are published by one job, which gets built files from a job without rights", () => {
  const workflow = parse(textOf("release.yml")) as Workflow;
  const publishing = Object.entries(workflow.jobs).filter(([, job]) =>
    rightsOf(workflow, job).includes("id-token"),
  );
  expect(publishing.map(([name]) => name)).toEqual(["publish"]);
  const building = workflow.jobs["build"]!;
  expect(rightsOf(workflow, building)).toEqual([]);
  expect(building.steps.some(({ run }) => run?.startsWith("node checks/set-up/build.js "))).toBe(
    true,
  );
});
