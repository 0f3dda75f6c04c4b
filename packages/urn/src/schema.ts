export { type UrnFormat, type UrnKeyword, urnFormat, urnKeyword } from "./schema/ajv.ts";
export {
  type UrnIssue,
  type UrnSchema,
  type UrnSchemaOptions,
  type UrnSchemaResult,
  urn,
} from "./schema/standard-schema.ts";
