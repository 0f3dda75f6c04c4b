import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./repository.ts";

/** What the GitHub workflows may do. */

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
        readonly container?: { readonly image: string; readonly options?: string };
        readonly steps: readonly Step[];
      }
    >
  >;
}

const folder = join(ROOT, ".github", "workflows");
const workflows = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

/** The permissions of a job other than reading. */
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
        else expect(run, name).toMatch(/^node checks\/release\/publish\.js [^;&|`()]*$/);
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

test("the code of pull requests gets no rights in a container", () => {
  const { jobs } = parse(textOf("ci.yml")) as Workflow;
  const containers = Object.values(jobs).filter(({ container }) => container !== undefined);
  const forPullRequests = containers.filter((job) => job.if !== "github.event_name == 'push'");
  expect(forPullRequests).toHaveLength(1);
  expect(forPullRequests[0]!.container!.options).toBeUndefined();
  // Both run the same commands.
  for (const { steps } of containers) {
    expect(steps.map(({ run }) => run)).toEqual(containers[0]!.steps.map(({ run }) => run));
  }
  expect(textOf("ci.yml")).not.toMatch(/pull_request_target|workflow_run|secrets\./);
});

test("the packages are published by one job, which gets its tarballs from a job without rights", () => {
  const workflow = parse(textOf("release.yml")) as Workflow;
  const publishing = Object.entries(workflow.jobs).filter(([, job]) =>
    rightsOf(workflow, job).includes("id-token"),
  );
  expect(publishing.map(([name]) => name)).toEqual(["publish"]);
  const packing = workflow.jobs["pack"]!;
  expect(rightsOf(workflow, packing)).toEqual([]);
  expect(packing.steps.some(({ run }) => run?.startsWith("npm run pack "))).toBe(true);
});
