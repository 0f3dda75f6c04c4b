type View = Uint8Array | Uint32Array;

/**
 * Whether a view covers its whole buffer, and the buffer is neither shared nor empty. Other buffers are not moved to
 * another thread.
 */
export function isWholeBuffer({ buffer, byteLength }: View): boolean {
  return buffer instanceof ArrayBuffer && byteLength > 0 && byteLength === buffer.byteLength;
}

/**
 * The buffers in a value that can be moved to another thread without a copy. A view of a part of a buffer is copied,
 * because other views may use the rest.
 */
export function buffersIn(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    // Skip arrays of numbers, which may be long.
    if (Array.isArray(part) && typeof part[0] !== "object") return;
    if (!ArrayBuffer.isView(part)) {
      for (const each of Object.values(part)) visit(each);
    } else if (isWholeBuffer(part as View)) buffers.add(part.buffer as ArrayBuffer);
  };
  visit(value);
  return [...buffers];
}
