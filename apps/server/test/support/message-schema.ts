import type { Field, MessageType } from "@x/wire";

/* The part of an OpenAPI document that follows from the table of a message. */

export type JsonSchema = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: messages of any type
type AnyMessageType = MessageType<any>;

/** The fields of a message, in order. */
function fieldsOf(type: AnyMessageType): [name: string, field: Field<unknown>][] {
  return Object.entries(type.fields) as [string, Field<unknown>][];
}

/** The schema of one value of a field, as ProtoJSON writes it. */
function valueSchema({ kind, type, names, open }: Field<unknown>): JsonSchema {
  switch (kind) {
    case "bool":
      return { type: "boolean" };
    case "int32":
    case "uint32":
      return { type: "integer", format: kind };
    case "int64":
    case "uint64":
      return { type: "string", format: kind, pattern: "^-?[0-9]+$" };
    case "fixed64":
      return { type: "string", format: "uint64", pattern: "^[0-9]+$" };
    case "string":
      return { type: "string" };
    case "bytes":
      return { type: "string", contentEncoding: "base64", pattern: "^[A-Za-z0-9+/]*=*$" };
    case "duration":
      return { type: "string", pattern: "^[0-9]+([.][0-9]{1,9})?s$" };
    case "timestamp":
      return { type: "string", format: "date-time", pattern: "^[0-9-]{10}T[0-9:.]+Z$" };
    case "enum": {
      const known = { type: "string", enum: Object.keys(names!) };
      return open ? { anyOf: [known, { type: "integer", format: "int32" }] } : known;
    }
    case "message":
      return messageSchema(type!);
  }
}

function fieldSchema(field: Field<unknown>): JsonSchema {
  return field.repeated ? { type: "array", items: valueSchema(field) } : valueSchema(field);
}

/** The schema of a message in JSON. No field is required, because JSON leaves out absent fields. */
export function messageSchema(type: AnyMessageType): JsonSchema {
  const properties = fieldsOf(type).map(([name, field]) => [name, fieldSchema(field)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** One parameter for each field of a message. Dots separate the names of inner messages and their fields. */
export function parametersOf(
  type: AnyMessageType,
  pathField: string | undefined,
  prefix = "",
): JsonSchema[] {
  return fieldsOf(type).flatMap(([name, field]) => {
    if (field.kind === "message" && !field.repeated) {
      return parametersOf(field.type!, undefined, `${prefix}${name}.`);
    }
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
