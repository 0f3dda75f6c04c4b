import { isPublicSuffix } from "@x/list-source/public-suffixes";
import type { HostNames } from "@x/list-store/host-names";
import { fullHash } from "@x/sha256-prefix";
import { nameGatherer } from "../../src/publish/gather-names.ts";

/** Returns the host names of entries that are given as expressions. */
export function namesOf(expressions: Iterable<string>): HostNames {
  const gatherer = nameGatherer(isPublicSuffix);
  for (const expression of expressions) gatherer.add(expression, fullHash(expression));
  return gatherer.names();
}
