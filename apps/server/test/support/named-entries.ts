import { isPublicSuffix } from "@x/list-source/public-suffixes";
import type { HostNames } from "@x/list-store/host-names";
import { fullHash } from "@x/sha256-prefix";
import { nameGatherer } from "../../src/publish/gather-names.ts";

/** The names of entries, given as expressions. */
export function namesOf(expressions: Iterable<string>): HostNames {
  const gatherer = nameGatherer(isPublicSuffix);
  for (const expression of expressions) gatherer.add(expression, fullHash(expression));
  return gatherer.names();
}
