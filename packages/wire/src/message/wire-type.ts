import { WireType } from "@bufbuild/protobuf/wire";
import type { Field } from "./field.ts";

/** How a value of a field is delimited on the wire. */
export function wireTypeOf({ kind }: Field<unknown>): WireType {
  switch (kind) {
    case "fixed64":
      return WireType.Bit64;
    case "string":
    case "bytes":
    case "message":
    case "duration":
    case "timestamp":
      return WireType.LengthDelimited;
    default:
      return WireType.Varint;
  }
}
