// The messages of the three protocols as protobuf-es reads and writes them: the implementation with which tests and
// benchmarks compare this package. protobufjs parses the .proto files.

import { readFileSync } from "node:fs";
import { createFileRegistry, fromJson } from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
} from "@bufbuild/protobuf/wkt";
import protobuf from "protobufjs";

const IMPORTED = [file_google_protobuf_duration.proto, file_google_protobuf_timestamp.proto];

/**
 * Returns the schemas of the messages in `v4.proto`, `v5.proto` or `web-risk.proto`, by their names.
 *
 * @param {"v4" | "v5" | "web-risk"} name
 * @returns {Record<string, import("@bufbuild/protobuf").DescMessage>}
 */
export function readSchemas(name) {
  const file = `${name}.proto`;
  const root = new protobuf.Root();
  for (const imported of IMPORTED) root.addJSON(protobuf.common.get(imported.name).nested);
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const parsed = protobuf.parse(text, root, { keepCase: true });
  root.resolveAll();
  const proto = fromJson(FileDescriptorProtoSchema, {
    name: file,
    package: parsed.package,
    dependency: parsed.imports,
    syntax: /^syntax = "(proto[23])";$/m.exec(text)?.[1],
    ...describeContents(root.lookup(parsed.package)),
  });
  const described = createFileRegistry(proto, (path) =>
    IMPORTED.find((imported) => imported.name === path),
  );
  const { messages } = described.getFile(file);
  return Object.fromEntries(messages.map((schema) => [schema.name, schema]));
}

/** Describes the messages and enumerations of a package, as FileDescriptorProto does. */
function describeContents({ nestedArray }) {
  return {
    messageType: nestedArray.filter((each) => each instanceof protobuf.Type).map(describeMessage),
    enumType: nestedArray.filter((each) => each instanceof protobuf.Enum).map(describeEnum),
  };
}

function describeMessage(type) {
  const { messageType: nestedType, enumType } = describeContents(type);
  return {
    name: type.name,
    field: type.fieldsArray.map(describeField),
    oneofDecl: type.oneofsArray.map(({ name }) => ({ name })),
    nestedType,
    enumType,
  };
}

function describeField({ name, id, repeated, type, resolvedType, partOf, parent }) {
  const kind =
    resolvedType === null ? type : resolvedType instanceof protobuf.Enum ? "enum" : "message";
  return {
    name,
    number: id,
    label: repeated ? "LABEL_REPEATED" : "LABEL_OPTIONAL",
    type: `TYPE_${kind.toUpperCase()}`,
    jsonName: protobuf.util.camelCase(name),
    ...(resolvedType !== null && { typeName: resolvedType.fullName }),
    ...(partOf !== null && { oneofIndex: parent.oneofsArray.indexOf(partOf) }),
  };
}

function describeEnum({ name, values }) {
  const value = Object.entries(values).map(([each, number]) => ({ name: each, number }));
  return { name, value };
}
