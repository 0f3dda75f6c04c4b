import { type Aside, AT_ONCE } from "../../src/serve/aside/aside.ts";

/** Does work at once, and keeps the names of the jobs in order. */
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
