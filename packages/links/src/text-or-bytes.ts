import { typeError } from "@x/canon/own-options";

/** Throws a `TypeError` for anything but a string or a `Uint8Array`, of any realm, that still has its memory. */
export function checkTextOrBytes(
  name: string,
  value: unknown,
): asserts value is string | Uint8Array {
  if (typeof value === "string") return;
  const bytes = value as Uint8Array | null | undefined;
  if (bytes?.[Symbol.toStringTag] !== "Uint8Array") {
    throw typeError(name, "a string or a Uint8Array", value);
  }
  // Without its memory, an array looks empty, but this method throws.
  bytes.keys();
}
