import type { AnyMethod, Field, MessageType } from "@x/wire";
import { fieldSchema, fieldsOf, messageSchema } from "./message-schema.ts";
import type { JsonSchema, Operation, PlacedOperation } from "./operation.ts";

const PROTOBUF = "application/x-protobuf";

const ALT: JsonSchema = {
  name: "alt",
  in: "query",
  description: "The format of the answer.",
  schema: { type: "string", enum: ["json", "proto"] },
};

function isMessage(field: Field<unknown>): boolean {
  return field.kind === "message" && !field.repeated;
}

/** One parameter for each field of a message. Dots separate the names of inner messages and their fields. */
function parametersOf(
  // biome-ignore lint/suspicious/noExplicitAny: messages of any type
  type: MessageType<any>,
  pathField: string | undefined,
  prefix = "",
): JsonSchema[] {
  return fieldsOf(type).flatMap(([name, field]) => {
    if (isMessage(field)) return parametersOf(field.type!, undefined, `${prefix}${name}.`);
    const isPath = name === pathField;
    return [
      {
        name: prefix + name,
        in: isPath ? "path" : "query",
        ...(isPath && { required: true }),
        schema: fieldSchema(field),
      },
    ];
  });
}

/** Describes a protocol's method as an OpenAPI operation. */
export function methodOperation({
  name,
  httpMethod,
  path,
  pathField,
  request,
  response,
}: AnyMethod): PlacedOperation {
  const isGet = httpMethod === "GET";
  const operation: Operation = {
    id: name,
    summary: `${name}, as the reference of its protocol describes it`,
    takesKey: true,
    parameters: [...(isGet ? parametersOf(request, pathField) : []), ALT],
    ...(!isGet && { body: { "application/json": messageSchema(request), [PROTOBUF]: null } }),
    answers: {
      200: ["The answer", { "application/json": messageSchema(response), [PROTOBUF]: null }],
      ...(isGet && { 304: ["The client's copy is still current", {}] }),
    },
  };
  return {
    method: httpMethod,
    path: pathField === undefined ? path : `${path}{${pathField}}`,
    operation,
  };
}
