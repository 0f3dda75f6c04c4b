export { shardNumber } from "./contents/full-hashes.ts";
export {
  encodeHosts,
  type HostCount,
  type HostNames,
  type HostNamesIndex,
  type NamedHost,
  readHostNamesIndex,
  readHosts,
  type UnnamedCounts,
} from "./contents/host-names.ts";
export { namesWithout } from "./contents/stored-contents.ts";
