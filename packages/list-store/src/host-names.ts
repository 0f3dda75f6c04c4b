export {
  type HostNames,
  type HostNamesIndex,
  hostsOf,
  type NamedHost,
  readHostNamesIndex,
  type UnnamedCounts,
} from "./contents/host-names.ts";
