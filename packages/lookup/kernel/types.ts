// The meaning of types in WebAssembly, for modules that also run in JavaScript: a number is a 32-bit integer, and an
// array is the address of its first element.

export type Integer = i32;

@unmanaged
export class Bytes {
  @inline
  @operator("[]")
  get(index: i32): i32 {
    return load<u8>(changetype<usize>(this) + index);
  }

  @inline
  @operator("[]=")
  set(index: i32, byte: i32): void {
    store<u8>(changetype<usize>(this) + index, <u8>byte);
  }
}

@unmanaged
export class Words {
  @inline
  @operator("[]")
  get(index: i32): i32 {
    return load<i32>(changetype<usize>(this) + ((<usize>index) << 2));
  }

  @inline
  @operator("[]=")
  set(index: i32, word: i32): void {
    store<i32>(changetype<usize>(this) + ((<usize>index) << 2), word);
  }
}

@unmanaged
export class CanonicalSpans {
  host: i32;
  path: i32;
  query: i32;
  end: i32;
}

// biome-ignore lint/complexity/noStaticOnlyClass: it stands for the Math of JavaScript
export class IntegerMath {
  @inline
  static imul(x: i32, y: i32): i32 {
    return x * y;
  }
}
