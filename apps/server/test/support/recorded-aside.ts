import { type Aside, AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";

/** Runs jobs at once, and records their names in order. */
export function recordedAside(): { readonly aside: Aside; readonly jobs: string[] } {
  const jobs: string[] = [];
  const aside: Aside = {
    ...AT_ONCE,
    run(name, ...rest) {
      jobs.push(name);
      return AT_ONCE.run(name, ...rest);
    },
  };
  return { aside, jobs };
}
