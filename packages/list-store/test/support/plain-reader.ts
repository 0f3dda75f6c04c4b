import { createHash, createPublicKey, verify } from "node:crypto";

/*
 * A reader of stores, written from `docs/store-format.md` alone. It uses nothing of the package, and is as short as the
 * page allows: bytes are hex, lists are sorted arrays, and nothing is remembered.
 */

/** What a manifest or a block says of a block. */
interface Link {
  readonly after: number;
  readonly manifest: string;
  readonly object: string | null;
  readonly bytes: number;
  readonly hashes: string | null;
}
interface Entry {
  readonly hash: string;
  readonly list: string;
  readonly version: number;
  readonly previous: string | null;
  readonly expires: string;
  readonly blocks: readonly Link[];
  readonly base: Link & { readonly version: number };
  readonly contents: { readonly checksum: string };
  readonly retired?: true;
  readonly nextSigners: readonly string[];
  isSignedBy(publicKeys: readonly string[]): boolean;
}
/** A version with its prefixes of 4 bytes, and those of 8 bytes if the reader keeps them. */
export interface PlainVersion {
  readonly entry: Entry;
  readonly list: readonly string[];
  readonly longer: readonly string[] | null;
}
type Change = Record<"removed" | "added", ReadonlySet<string>>;
type Block = Change & { readonly end: number; readonly links: readonly Link[] } & Pick<
    Link,
    "hashes"
  >;
type Named = Pick<Link, "object" | "bytes" | "hashes">;
type Hashes = { rests: string; count: number; others: number[]; shards: string[] };

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hexOf = (words: readonly number[]) => words.map((word) => word.toString(16).padStart(8, "0"));
const union = (...lists: readonly Iterable<string>[]) =>
  [...new Set(lists.flatMap((list) => [...list]))].sort();

/** Rice codes: a quotient in unary, then the lower bits, from the least significant bit of each byte on. */
function decodeRice(codes: Buffer, count: number, first: number, parameter: number): string[] {
  let at = 0;
  const bit = () => (codes[at >> 3]! >> (at++ & 7)) & 1;
  const words = count === 0 ? [] : [first];
  while (words.length < count) {
    let gap = 0;
    while (bit() === 1) gap += 2 ** parameter;
    for (let i = 0; i < parameter; i++) gap += bit() * 2 ** i;
    words.push(words.at(-1)! + gap);
  }
  return hexOf(words);
}

/** Whether one of the signatures of a note is valid and made with a key. */
function isSigned(text: string, signatures: string, publicKey: string): boolean {
  const [name, id, ...base64] = publicKey.split("+");
  const x = Buffer.from(base64.join("+"), "base64").subarray(1);
  const jwk = { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") };
  return signatures.split("\n").some((line) => {
    const [, signer, signature] = line.split(" ");
    const bytes = Buffer.from(signature ?? "", "base64");
    if (signer !== name || bytes.toString("hex", 0, 4) !== id) return false;
    const key = createPublicKey({ format: "jwk", key: jwk });
    return verify(null, Buffer.from(text), key, bytes.subarray(4));
  });
}

/** A reader of one list. It trusts `publicKeys` at first, and later the keys that the list names. */
export function plainReader(
  read: (key: string) => Promise<Uint8Array | null>,
  name: string,
  publicKeys: readonly string[],
  now: () => number,
) {
  async function readEntry(version: number): Promise<Entry | null> {
    const note = await read(`lists/${name}/v/${String(version).padStart(12, "0")}`);
    if (note === null) return null;
    const [text, signatures] = Buffer.from(note)
      .toString()
      .split(/(?<=\n)\n/);
    const [format, json] = text!.split("\n");
    if (format !== "urlhash-manifest/3") throw new Error("another format");
    const manifest: Entry = JSON.parse(json!);
    if (manifest.list !== name || manifest.version !== version) throw new Error("misplaced");
    const isSignedBy = (keys: readonly string[]) =>
      keys.some((key) => isSigned(text!, signatures!, key));
    return { ...manifest, hash: sha256(note), isSignedBy };
  }

  async function readObject(hash: string): Promise<Buffer> {
    const bytes = await read(`objects/sha256/${hash.slice(0, 2)}/${hash}`);
    if (bytes === null || sha256(bytes) !== hash) throw new Error(`${hash} cannot be read`);
    return Buffer.from(bytes);
  }

  async function readBlock({ object, bytes: length, hashes }: Named, end: number): Promise<Block> {
    const bytes = await readObject(object!);
    if (bytes.length !== length || !bytes.toString("latin1").startsWith("block")) {
      throw new Error("not the block");
    }
    const links = Array.from({ length: bytes[5]! }, (_, i) => {
      const head = bytes.subarray(6 + 108 * i, 6 + 108 * (i + 1));
      const [manifest, object, hashes] = [8, 40, 76].map((at) => {
        const hash = head.toString("hex", at, at + 32);
        return /^0+$/.test(hash) ? null : hash;
      });
      const numbers = { after: Number(head.readBigUInt64BE()), bytes: head.readUInt32BE(72) };
      return { ...numbers, manifest: manifest!, object: object!, hashes: hashes! };
    });
    const head = 6 + 108 * links.length;
    let codes = head + 26;
    const [removed, added] = [head, head + 13].map((at) => {
      const [count, first, length] = [0, 4, 8].map((more) => bytes.readUInt32BE(at + more));
      const coded = bytes.subarray(codes, codes + length!);
      codes += length!;
      return new Set(decodeRice(coded, count!, first!, bytes[at + 12]!));
    });
    return { hashes, links, removed: removed!, added: added!, end };
  }

  /**
   * The blocks that lead from a version to a newer one, the oldest first, their length, and the hash where they begin.
   */
  async function blocksBetween(after: number, newest: Entry) {
    const blocks: Block[] = [];
    let [at, links, from, bytes] = [newest.version, newest.blocks, newest.hash, 0];
    while (at > after) {
      const usable = links.filter((link) => link.after >= after && link.object !== null);
      usable.sort((a, b) => a.after - b.after);
      let block: Block | null = null;
      while (block === null) {
        const link = usable.shift();
        if (link === undefined) throw new Error("no way back");
        block = await readBlock(link, at).catch(() => null);
        if (block !== null) [at, from, bytes] = [link.after, link.manifest, bytes + link.bytes];
      }
      blocks.unshift(block);
      links = block.links;
    }
    return { blocks, from, bytes };
  }

  async function hashesOf({ hashes, added }: Block) {
    if (hashes === null) return null;
    const index = JSON.parse((await readObject(hashes)).toString()) as Hashes;
    return { ...index, mentions: union(added, hexOf(index.others)) };
  }

  /** Brings prefixes of 8 bytes to the version where a block ends. */
  async function applyLonger(longer: readonly string[], block: Block): Promise<string[]> {
    const found = await hashesOf(block);
    const gone = new Set([...block.removed, ...(found?.mentions ?? [])]);
    const kept = longer.filter((prefix) => !gone.has(prefix.slice(0, 8)));
    if (found === null) return kept;
    const bytes = await readObject(found.rests);
    const same = bytes.readUInt32BE();
    const repeats = new Set(Array.from({ length: same }, (_, i) => bytes.readUInt32BE(4 + 4 * i)));
    let word = -1;
    for (let i = 0; i < found.count; i++) {
      if (!repeats.has(i)) word++;
      const at = 4 * (1 + same + i);
      kept.push(`${found.mentions[word]}${bytes.toString("hex", at, at + 4)}`);
    }
    return union(kept);
  }

  function applyBlocks(
    entry: Entry,
    blocks: readonly Block[],
    before: readonly string[],
  ): string[] {
    let list = [...before];
    for (const { removed, added } of blocks) {
      list = union(
        list.filter((prefix) => !removed.has(prefix)),
        added,
      );
    }
    if (sha256(Buffer.from(list.join(""), "hex")) === entry.contents.checksum) return list;
    throw new Error("a wrong checksum");
  }

  /** The base and the blocks that lead from it to a version. */
  async function allBlocks(entry: Entry): Promise<Block[]> {
    const { blocks } = await blocksBetween(entry.base.version, entry);
    return [await readBlock(entry.base, entry.base.version), ...blocks];
  }

  /** The prefixes of 8 bytes of a version. Those that are on its list in an older version need not be read again. */
  async function readLonger(
    entry: Entry,
    list: readonly string[],
    before: PlainVersion | null,
  ): Promise<string[]> {
    const isNew = before === null || before.entry.version < entry.base.version;
    const [base, ...later] = await allBlocks(entry);
    let longer = isNew ? await applyLonger([], base!) : [...before.longer!];
    const since = isNew ? 0 : before.entry.version;
    for (const block of later) if (block.end > since) longer = await applyLonger(longer, block);
    const listed = new Set(list);
    return longer.filter((prefix) => listed.has(prefix.slice(0, 8)));
  }

  function checkFollows(entry: Entry, later: Entry, hash: string | null): void {
    if (hash !== entry.hash || !later.isSignedBy(entry.nextSigners)) throw new Error("forked");
  }

  /**
   * The newest version after a trusted one. Manifests in between may be skipped if a block begins at the trusted one.
   */
  async function follow(entry: Entry, skips: boolean): Promise<Entry> {
    let stride = 1;
    while (skips && entry.version % (4 * stride) === 0) stride *= 4;
    for (; stride > 1; stride /= 4) {
      const later = await readEntry(entry.version + stride);
      const link = later?.blocks.find(({ after }) => after === entry.version);
      if (!link || !later!.isSignedBy(entry.nextSigners)) continue;
      checkFollows(entry, later!, link.manifest);
      return follow(later!, skips);
    }
    const next = await readEntry(entry.version + 1);
    if (next === null) return entry;
    checkFollows(entry, next, next.previous);
    return follow(next, skips);
  }

  function checkTime(entry: Entry): Entry {
    if (Date.parse(entry.expires) > now()) return entry;
    throw new Error("expired");
  }

  /** The prefixes of a newer version, made from those of an older one; `null` if it is better read whole. */
  async function change({ entry, list }: PlainVersion, newest: Entry): Promise<string[] | null> {
    const way = await blocksBetween(entry.version, newest).catch(() => null);
    if (way === null) return null;
    if (way.from !== entry.hash) throw new Error("forked");
    return way.bytes > newest.base.bytes ? null : applyBlocks(newest, way.blocks, list);
  }

  const readHint = async () => Number(Buffer.from((await read(`lists/${name}/head`))!).toString());

  return {
    /** Reads a list for the first time. */
    async load(isLong: boolean): Promise<PlainVersion> {
      let newest = await readEntry(await readHint());
      for (let next = newest; next !== null; next = await readEntry(next.version + 1))
        newest = next;
      if (!newest?.isSignedBy(publicKeys)) throw new Error("wrongly signed");
      const entry = checkTime(newest);
      const list = applyBlocks(entry, await allBlocks(entry), []);
      return { entry, list, longer: isLong ? await readLonger(entry, list, null) : null };
    },

    async update(before: PlainVersion): Promise<PlainVersion> {
      if (before.entry.retired) return before;
      const hint = await readHint();
      const hinted = hint > before.entry.version ? await readEntry(hint) : before.entry;
      let entry = before.entry;
      let list: readonly string[] | null = null;
      if (hinted === entry || hinted?.isSignedBy(entry.nextSigners)) {
        entry = checkTime(await follow(hinted, false));
        list = await change(before, entry);
      }
      if (list === null) {
        entry = checkTime(await follow(before.entry, true));
        list = applyBlocks(entry, await allBlocks(entry), []);
      }
      return { entry, list, longer: before.longer && (await readLonger(entry, list, before)) };
    },

    /** The full hashes of a version that begin with a prefix of at least 4 bytes. */
    async search({ entry, list }: PlainVersion, prefix: string): Promise<string[]> {
      const word = prefix.slice(0, 8);
      if (!list.includes(word)) return [];
      for (const block of (await allBlocks(entry)).reverse()) {
        const found = await hashesOf(block);
        if (!found?.mentions.includes(word)) continue;
        const number = Math.floor((Number.parseInt(word, 16) / 2 ** 32) * found.shards.length);
        const shard = (await readObject(found.shards[number]!)).toString("hex");
        return (shard.match(/.{64}/g) ?? []).filter((hash) => hash.startsWith(prefix));
      }
      throw new Error("a prefix without full hashes");
    },
  };
}
