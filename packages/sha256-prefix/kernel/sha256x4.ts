// SHA-256 of many messages, four at a time, in AssemblyScript. `build.js` compiles this file.
//
// Each of the four 32-bit lanes of a vector works on its own message. When a lane has finished its message, it takes
// the next one, so messages of different lengths keep all four lanes busy.
//
// The first page of the memory belongs to the kernel. The caller lays out the others and leaves 64 bytes free
// after the messages: the kernel reads them with the last block of a message, and masks them out.

// The memory layout. The caller fills the first two tables.
/** 64 words: the round constants (FIPS 180-4 §4.2.2). */
export const ROUND_CONSTANTS: usize = 0;
/** 32 bytes: the initial hash value (§5.3.3), as a hash is written, most significant byte first. */
export const INITIAL_HASH: usize = 256;
/** 32 bytes: the hash of a lane that has no message. */
const NO_HASH: usize = 288;
/** 64 bytes per lane: the padded last block of its message. */
const LAST_BLOCKS: usize = 320;
/** 64 bytes per lane: its `Lane`. */
const LANES: usize = 576;
/** 16 vectors: words of the four messages, or of their hash values, side by side. */
const COLUMNS: usize = 832;
const LANE_COUNT: usize = 4;
const BLOCK_BYTES: i32 = 64;
/** The length of the shortest padding, which is the end mark and the message length (§5.1.1). */
const PADDING_BYTES: u32 = 9;

/** The state of one of the four lanes. */
@unmanaged
class Lane {
  /** The address of the message's first byte that is not yet hashed. */
  at: usize;
  /** The number of bytes not yet hashed, or -1 after the end mark. */
  left: i32;
  /** The number of blocks still to be compressed, including padding. */
  blocks: u32;
  /** The length of the message in bits, most significant byte first. */
  length: u64;
  /** The address of the block to compress. */
  block: usize;
  /** The address of the hash value before that block. */
  before: usize;
  /** The address of the message's hash. Between blocks, the hash value is stored at this address. */
  hash: usize;
  /** The address of the first word of the hash, as a number. */
  prefix: usize;
}

let bytes: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let hashes: usize = 0;
let prefixes: usize = 0;
let sliceCount: u32 = 0;
let nextSlice: u32 = 0;
let busyLanes: u32 = 0;

function lane(index: usize): Lane {
  return changetype<Lane>(LANES + (index << 6));
}

/** Gives a lane the next message, if there is one. */
function takeSlice(own: Lane): void {
  if (nextSlice === sliceCount) {
    busyLanes -= 1;
    own.at = LAST_BLOCKS;
    own.left = -1;
    own.blocks = u32.MAX_VALUE;
    own.before = INITIAL_HASH;
    own.hash = NO_HASH;
    return;
  }
  const start = load<u32>(starts + (nextSlice << 2));
  const length = load<u32>(ends + (nextSlice << 2)) - start;
  own.at = bytes + start;
  own.left = length;
  own.blocks = (length + PADDING_BYTES + 63) >>> 6;
  own.length = bswap<u64>((<u64>length) << 3);
  own.before = INITIAL_HASH;
  own.hash = hashes + (nextSlice << 5);
  own.prefix = prefixes + (nextSlice << 2);
  nextSlice += 1;
}

/** The bytes before index `left`, the end mark at that index, and zeros after the mark (§5.1.1). */
function padded(message: v128, left: v128, places: v128): v128 {
  const endMark = v128.and(i8x16.eq(places, left), i8x16.splat(-128));
  return v128.or(v128.and(message, i8x16.lt_s(places, left)), endMark);
}

/** Finds or makes the next block of a lane's message. A block that must be made is written to `lastBlock`. */
function prepareBlock(own: Lane, lastBlock: usize): void {
  const at = own.at;
  own.blocks -= 1;
  if (own.left >= BLOCK_BYTES) {
    own.block = at;
    own.at = at + BLOCK_BYTES;
    own.left -= BLOCK_BYTES;
    return;
  }
  const left = i8x16.splat(<i8>own.left);
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  // The length is inserted before the row is stored, because a second store would make the next load wait.
  const length = i64x2.replace_lane(i64x2.splat(0), 1, own.blocks === 0 ? own.length : 0);
  const row3 = padded(v128.load(at, 48), left, i8x16.add(places, i8x16.splat(48)));
  v128.store(lastBlock, padded(v128.load(at), left, places));
  v128.store(lastBlock, padded(v128.load(at, 16), left, i8x16.add(places, i8x16.splat(16))), 16);
  v128.store(lastBlock, padded(v128.load(at, 32), left, i8x16.add(places, i8x16.splat(32))), 32);
  v128.store(lastBlock, v128.or(row3, length), 48);
  own.block = lastBlock;
  own.left = -1;
}

/** Called after each block. When a message is finished, writes its prefix and takes the next message. */
function finishBlock(own: Lane): void {
  own.before = own.hash;
  if (own.blocks === 0) {
    store<u32>(own.prefix, bswap<u32>(load<u32>(own.hash)));
    takeSlice(own);
  }
}

/** Converts four words between the byte order of SHA-256 and that of the machine. */
function swapBytes(words: v128): v128 {
  return i8x16.swizzle(words, i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

/** Puts four words of each of the four lanes side by side: lane 0's row becomes the first column. */
function loadColumns(to: usize, lane0: usize, lane1: usize, lane2: usize, lane3: usize): void {
  const row0 = swapBytes(v128.load(lane0));
  const row1 = swapBytes(v128.load(lane1));
  const row2 = swapBytes(v128.load(lane2));
  const row3 = swapBytes(v128.load(lane3));
  const low01 = i32x4.shuffle(row0, row1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(row0, row1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(row2, row3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(row2, row3, 2, 6, 3, 7);
  v128.store(to, i64x2.shuffle(low01, low23, 0, 2));
  v128.store(to, i64x2.shuffle(low01, low23, 1, 3), 16);
  v128.store(to, i64x2.shuffle(high01, high23, 0, 2), 32);
  v128.store(to, i64x2.shuffle(high01, high23, 1, 3), 48);
}

/** Gives each lane its words of the four columns, as the reverse of `loadColumns`. */
function storeColumns(
  column0: v128,
  column1: v128,
  column2: v128,
  column3: v128,
  lane0: usize,
  lane1: usize,
  lane2: usize,
  lane3: usize,
): void {
  const low01 = i32x4.shuffle(column0, column1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(column0, column1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(column2, column3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(column2, column3, 2, 6, 3, 7);
  v128.store(lane0, swapBytes(i64x2.shuffle(low01, low23, 0, 2)));
  v128.store(lane1, swapBytes(i64x2.shuffle(low01, low23, 1, 3)));
  v128.store(lane2, swapBytes(i64x2.shuffle(high01, high23, 0, 2)));
  v128.store(lane3, swapBytes(i64x2.shuffle(high01, high23, 1, 3)));
}

function add(x: v128, y: v128): v128 {
  return i32x4.add(x, y);
}

function rotateRight(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits));
}

/** The part of T1 (§6.2.2) that depends on the round before: Σ1 and Ch (§4.1.2). */
function temp1(e: v128, f: v128, g: v128): v128 {
  const sigma = v128.xor(v128.xor(rotateRight(e, 6), rotateRight(e, 11)), rotateRight(e, 25));
  return add(sigma, v128.bitselect(f, g, e));
}

/**
 * T2 (§6.2.2) with Σ0 and Maj (§4.1.2). Maj is c where a and b differ, and otherwise b. `bc` is the `ab` of the last
 * round.
 */
function temp2(a: v128, b: v128, ab: v128, bc: v128): v128 {
  const sigma = v128.xor(v128.xor(rotateRight(a, 2), rotateRight(a, 13)), rotateRight(a, 22));
  return add(sigma, v128.xor(b, v128.and(ab, bc)));
}

/** The next word of the message schedule, from those 16, 15, 7 and 2 words before it (§6.2.2 step 1). */
function word(before16: v128, before15: v128, before7: v128, before2: v128): v128 {
  const sigma0 = v128.xor(
    v128.xor(rotateRight(before15, 7), rotateRight(before15, 18)),
    i32x4.shr_u(before15, 3),
  );
  const sigma1 = v128.xor(
    v128.xor(rotateRight(before2, 17), rotateRight(before2, 19)),
    i32x4.shr_u(before2, 10),
  );
  return add(add(before16, sigma0), add(before7, sigma1));
}

/** Adds the block of each lane to its hash value (§6.2.2). */
// biome-ignore format: the rounds differ only in their letters, and are easiest to compare one below the other
function compress(): void {
  const lane0 = lane(0);
  const lane1 = lane(1);
  const lane2 = lane(2);
  const lane3 = lane(3);
  for (let row: usize = 0; row < 64; row += 16) {
    loadColumns(COLUMNS + (row << 2), lane0.block + row, lane1.block + row, lane2.block + row, lane3.block + row);
  }
  let w0 = v128.load(COLUMNS, 0);
  let w1 = v128.load(COLUMNS, 16);
  let w2 = v128.load(COLUMNS, 32);
  let w3 = v128.load(COLUMNS, 48);
  let w4 = v128.load(COLUMNS, 64);
  let w5 = v128.load(COLUMNS, 80);
  let w6 = v128.load(COLUMNS, 96);
  let w7 = v128.load(COLUMNS, 112);
  let w8 = v128.load(COLUMNS, 128);
  let w9 = v128.load(COLUMNS, 144);
  let w10 = v128.load(COLUMNS, 160);
  let w11 = v128.load(COLUMNS, 176);
  let w12 = v128.load(COLUMNS, 192);
  let w13 = v128.load(COLUMNS, 208);
  let w14 = v128.load(COLUMNS, 224);
  let w15 = v128.load(COLUMNS, 240);

  loadColumns(COLUMNS, lane0.before, lane1.before, lane2.before, lane3.before);
  loadColumns(COLUMNS + 64, lane0.before + 16, lane1.before + 16, lane2.before + 16, lane3.before + 16);
  let a = v128.load(COLUMNS, 0);
  let b = v128.load(COLUMNS, 16);
  let c = v128.load(COLUMNS, 32);
  let d = v128.load(COLUMNS, 48);
  let e = v128.load(COLUMNS, 64);
  let f = v128.load(COLUMNS, 80);
  let g = v128.load(COLUMNS, 96);
  let h = v128.load(COLUMNS, 112);

  let t: v128;
  let ab: v128;
  let bc = v128.xor(b, c);
  let k = ROUND_CONSTANTS;
  t = add(temp1(e, f, g), add(h, add(v128.load_splat<u32>(k, 0), w0)));          ab = v128.xor(a, b); d = add(d, t); h = add(t, temp2(a, b, ab, bc));
  t = add(temp1(d, e, f), add(g, add(v128.load_splat<u32>(k, 4), w1)));          bc = v128.xor(h, a); c = add(c, t); g = add(t, temp2(h, a, bc, ab));
  t = add(temp1(c, d, e), add(f, add(v128.load_splat<u32>(k, 8), w2)));          ab = v128.xor(g, h); b = add(b, t); f = add(t, temp2(g, h, ab, bc));
  t = add(temp1(b, c, d), add(e, add(v128.load_splat<u32>(k, 12), w3)));         bc = v128.xor(f, g); a = add(a, t); e = add(t, temp2(f, g, bc, ab));
  t = add(temp1(a, b, c), add(d, add(v128.load_splat<u32>(k, 16), w4)));         ab = v128.xor(e, f); h = add(h, t); d = add(t, temp2(e, f, ab, bc));
  t = add(temp1(h, a, b), add(c, add(v128.load_splat<u32>(k, 20), w5)));         bc = v128.xor(d, e); g = add(g, t); c = add(t, temp2(d, e, bc, ab));
  t = add(temp1(g, h, a), add(b, add(v128.load_splat<u32>(k, 24), w6)));         ab = v128.xor(c, d); f = add(f, t); b = add(t, temp2(c, d, ab, bc));
  t = add(temp1(f, g, h), add(a, add(v128.load_splat<u32>(k, 28), w7)));         bc = v128.xor(b, c); e = add(e, t); a = add(t, temp2(b, c, bc, ab));
  t = add(temp1(e, f, g), add(h, add(v128.load_splat<u32>(k, 32), w8)));         ab = v128.xor(a, b); d = add(d, t); h = add(t, temp2(a, b, ab, bc));
  t = add(temp1(d, e, f), add(g, add(v128.load_splat<u32>(k, 36), w9)));         bc = v128.xor(h, a); c = add(c, t); g = add(t, temp2(h, a, bc, ab));
  t = add(temp1(c, d, e), add(f, add(v128.load_splat<u32>(k, 40), w10)));        ab = v128.xor(g, h); b = add(b, t); f = add(t, temp2(g, h, ab, bc));
  t = add(temp1(b, c, d), add(e, add(v128.load_splat<u32>(k, 44), w11)));        bc = v128.xor(f, g); a = add(a, t); e = add(t, temp2(f, g, bc, ab));
  t = add(temp1(a, b, c), add(d, add(v128.load_splat<u32>(k, 48), w12)));        ab = v128.xor(e, f); h = add(h, t); d = add(t, temp2(e, f, ab, bc));
  t = add(temp1(h, a, b), add(c, add(v128.load_splat<u32>(k, 52), w13)));        bc = v128.xor(d, e); g = add(g, t); c = add(t, temp2(d, e, bc, ab));
  t = add(temp1(g, h, a), add(b, add(v128.load_splat<u32>(k, 56), w14)));        ab = v128.xor(c, d); f = add(f, t); b = add(t, temp2(c, d, ab, bc));
  t = add(temp1(f, g, h), add(a, add(v128.load_splat<u32>(k, 60), w15)));        bc = v128.xor(b, c); e = add(e, t); a = add(t, temp2(b, c, bc, ab));
  for (let round = 16; round < 64; round += 16) {
    k += 64;
    w0 = word(w0, w1, w9, w14);     t = add(temp1(e, f, g), add(h, add(v128.load_splat<u32>(k, 0), w0)));          ab = v128.xor(a, b); d = add(d, t); h = add(t, temp2(a, b, ab, bc));
    w1 = word(w1, w2, w10, w15);    t = add(temp1(d, e, f), add(g, add(v128.load_splat<u32>(k, 4), w1)));          bc = v128.xor(h, a); c = add(c, t); g = add(t, temp2(h, a, bc, ab));
    w2 = word(w2, w3, w11, w0);     t = add(temp1(c, d, e), add(f, add(v128.load_splat<u32>(k, 8), w2)));          ab = v128.xor(g, h); b = add(b, t); f = add(t, temp2(g, h, ab, bc));
    w3 = word(w3, w4, w12, w1);     t = add(temp1(b, c, d), add(e, add(v128.load_splat<u32>(k, 12), w3)));         bc = v128.xor(f, g); a = add(a, t); e = add(t, temp2(f, g, bc, ab));
    w4 = word(w4, w5, w13, w2);     t = add(temp1(a, b, c), add(d, add(v128.load_splat<u32>(k, 16), w4)));         ab = v128.xor(e, f); h = add(h, t); d = add(t, temp2(e, f, ab, bc));
    w5 = word(w5, w6, w14, w3);     t = add(temp1(h, a, b), add(c, add(v128.load_splat<u32>(k, 20), w5)));         bc = v128.xor(d, e); g = add(g, t); c = add(t, temp2(d, e, bc, ab));
    w6 = word(w6, w7, w15, w4);     t = add(temp1(g, h, a), add(b, add(v128.load_splat<u32>(k, 24), w6)));         ab = v128.xor(c, d); f = add(f, t); b = add(t, temp2(c, d, ab, bc));
    w7 = word(w7, w8, w0, w5);      t = add(temp1(f, g, h), add(a, add(v128.load_splat<u32>(k, 28), w7)));         bc = v128.xor(b, c); e = add(e, t); a = add(t, temp2(b, c, bc, ab));
    w8 = word(w8, w9, w1, w6);      t = add(temp1(e, f, g), add(h, add(v128.load_splat<u32>(k, 32), w8)));         ab = v128.xor(a, b); d = add(d, t); h = add(t, temp2(a, b, ab, bc));
    w9 = word(w9, w10, w2, w7);     t = add(temp1(d, e, f), add(g, add(v128.load_splat<u32>(k, 36), w9)));         bc = v128.xor(h, a); c = add(c, t); g = add(t, temp2(h, a, bc, ab));
    w10 = word(w10, w11, w3, w8);   t = add(temp1(c, d, e), add(f, add(v128.load_splat<u32>(k, 40), w10)));        ab = v128.xor(g, h); b = add(b, t); f = add(t, temp2(g, h, ab, bc));
    w11 = word(w11, w12, w4, w9);   t = add(temp1(b, c, d), add(e, add(v128.load_splat<u32>(k, 44), w11)));        bc = v128.xor(f, g); a = add(a, t); e = add(t, temp2(f, g, bc, ab));
    w12 = word(w12, w13, w5, w10);  t = add(temp1(a, b, c), add(d, add(v128.load_splat<u32>(k, 48), w12)));        ab = v128.xor(e, f); h = add(h, t); d = add(t, temp2(e, f, ab, bc));
    w13 = word(w13, w14, w6, w11);  t = add(temp1(h, a, b), add(c, add(v128.load_splat<u32>(k, 52), w13)));        bc = v128.xor(d, e); g = add(g, t); c = add(t, temp2(d, e, bc, ab));
    w14 = word(w14, w15, w7, w12);  t = add(temp1(g, h, a), add(b, add(v128.load_splat<u32>(k, 56), w14)));        ab = v128.xor(c, d); f = add(f, t); b = add(t, temp2(c, d, ab, bc));
    w15 = word(w15, w0, w8, w13);   t = add(temp1(f, g, h), add(a, add(v128.load_splat<u32>(k, 60), w15)));        bc = v128.xor(b, c); e = add(e, t); a = add(t, temp2(b, c, bc, ab));
  }

  a = add(a, v128.load(COLUMNS, 0));
  b = add(b, v128.load(COLUMNS, 16));
  c = add(c, v128.load(COLUMNS, 32));
  d = add(d, v128.load(COLUMNS, 48));
  e = add(e, v128.load(COLUMNS, 64));
  f = add(f, v128.load(COLUMNS, 80));
  g = add(g, v128.load(COLUMNS, 96));
  h = add(h, v128.load(COLUMNS, 112));
  storeColumns(a, b, c, d, lane0.hash, lane1.hash, lane2.hash, lane3.hash);
  storeColumns(e, f, g, h, lane0.hash + 16, lane1.hash + 16, lane2.hash + 16, lane3.hash + 16);
}

/**
 * Hashes `count` messages, which are slices of the bytes at address `bytesAt`. The indices of the start and the end
 * of each slice are at `startsAt` and `endsAt`, as 32-bit numbers. The hashes, 32 bytes each, go to `hashesAt`, and
 * their first words, as 32-bit numbers, to `prefixesAt`.
 */
export function run(
  bytesAt: usize,
  startsAt: usize,
  endsAt: usize,
  hashesAt: usize,
  prefixesAt: usize,
  count: u32,
): void {
  bytes = bytesAt;
  starts = startsAt;
  ends = endsAt;
  hashes = hashesAt;
  prefixes = prefixesAt;
  sliceCount = count;
  nextSlice = 0;
  busyLanes = <u32>LANE_COUNT;
  for (let i: usize = 0; i < LANE_COUNT; i++) takeSlice(lane(i));
  while (busyLanes > 0) {
    for (let i: usize = 0; i < LANE_COUNT; i++) prepareBlock(lane(i), LAST_BLOCKS + (i << 6));
    compress();
    for (let i: usize = 0; i < LANE_COUNT; i++) finishBlock(lane(i));
  }
}
