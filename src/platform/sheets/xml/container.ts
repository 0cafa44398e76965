/**
 * Reads the compound file format of xls workbooks ([MS-CFB]): a small file system that chains the sectors of each file. Only the
 * requested file is assembled, and no chain may be longer than the number of sectors, so circular or overlapping chains cost no
 * more than the uploaded bytes.
 */
import { t } from '../../../contract/languages/text.ts';
import { damaged } from '../model/error.ts';

interface Container {
  /** Whether a top-level file or folder exists; names are case-insensitive ([MS-CFB] 2.6.4). */
  has(name: string): boolean;
  /** @throws SheetError when it is truncated */
  file(name: string): Buffer | undefined;
}

const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const headerBytes = 512;
/** The number of chain sectors listed in the header. */
const headerChains = 109;
const entryBytes = 128;
const miniSectorBytes = 64;
/** Smaller files are in mini sectors. */
const miniFileBytes = 4096;

export function isContainer(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

/** @throws SheetError when it is damaged */
export function openContainer(bytes: Buffer): Container {
  if (bytes.length < headerBytes) throw damaged(t`it ends too early`);
  const sizeExponent = bytes.readUInt16LE(30);
  if (sizeExponent !== 9 && sizeExponent !== 12) throw damaged(t`its sectors have no size that is known`);
  const sectors = new Sectors(bytes, 1 << sizeExponent);
  const directory = sectors.read(bytes.readInt32LE(48));
  const root = entryAt(directory, 0);
  const entries = new Map(children(directory, root).map((entry) => [entry.name.toUpperCase(), entry]));
  return {
    has: (name) => entries.has(name.toUpperCase()),
    file(name) {
      const entry = entries.get(name.toUpperCase());
      if (!entry) return undefined;
      const { start, size } = entry;
      const content =
        size < miniFileBytes
          ? readMini(sectors.read(root.start), sectors.read(bytes.readInt32LE(60)), start)
          : sectors.read(start);
      if (content.length < size) throw damaged(t`the part ${name} is not all there`);
      return content.subarray(0, size);
    },
  };
}

/** The sectors of the file and their chains. */
class Sectors {
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #count: number;
  /** The next sector of each one; a negative number ends a file. */
  readonly #next: Buffer;

  constructor(bytes: Buffer, sectorBytes: number) {
    this.#bytes = bytes;
    this.#sectorBytes = sectorBytes;
    this.#count = Math.ceil(bytes.length / sectorBytes) - 1;
    this.#next = Buffer.concat(this.#chainSectors().map((sector) => this.#sector(sector)));
  }

  /** @param start the first sector to read */
  read(start: number): Buffer {
    return Buffer.concat(chain(start, this.#count, this.#next).map((sector) => this.#sector(sector)));
  }

  #sector(sector: number): Buffer {
    const from = (sector + 1) * this.#sectorBytes; // the header takes one sector
    return this.#bytes.subarray(from, from + this.#sectorBytes);
  }

  /** The sectors with the chains: the first are listed in the header, the others in linked sectors. */
  #chainSectors(): number[] {
    const list: number[] = [];
    const add = (from: Buffer, at: number, count: number) => {
      for (let number = 0; number < count && at + 4 * number + 4 <= from.length; number++) {
        const sector = from.readInt32LE(at + 4 * number);
        if (sector >= 0 && sector < this.#count) list.push(sector);
      }
    };
    add(this.#bytes, 76, headerChains);
    const named = this.#sectorBytes / 4 - 1;
    let more = this.#bytes.readInt32LE(68);
    for (let visited = 0; more >= 0 && more < this.#count; visited++) {
      if (visited * named > this.#count) throw damaged(t`its list of sectors has no end`);
      const sector = this.#sector(more);
      add(sector, 0, named);
      more = sector.length < this.#sectorBytes ? -1 : sector.readInt32LE(4 * named);
    }
    return list;
  }
}

function readMini(content: Buffer, next: Buffer, start: number): Buffer {
  const most = Math.ceil(content.length / miniSectorBytes);
  const list = chain(start, most, next);
  return Buffer.concat(
    list.map((sector) => content.subarray(sector * miniSectorBytes, (sector + 1) * miniSectorBytes)),
  );
}

/** @param most the number of sectors @param next the successor of each sector */
function chain(start: number, most: number, next: Buffer): number[] {
  const list: number[] = [];
  for (let sector = start; sector >= 0; sector = next.readInt32LE(4 * sector)) {
    if (sector >= most || 4 * sector + 4 > next.length || list.length === most) {
      throw damaged(t`its sectors do not hang together`);
    }
    list.push(sector);
  }
  return list;
}

interface Entry {
  name: string;
  start: number;
  size: number;
  left: number;
  right: number;
  child: number;
}

function entryAt(directory: Buffer, number: number): Entry {
  const at = number * entryBytes;
  if (at + entryBytes > directory.length) throw damaged(t`its list of parts ends too early`);
  const nameBytes = Math.min(Math.max(directory.readUInt16LE(at + 64) - 2, 0), 62);
  return {
    name: directory.toString('utf16le', at, at + nameBytes),
    left: directory.readInt32LE(at + 68),
    right: directory.readInt32LE(at + 72),
    child: directory.readInt32LE(at + 76),
    start: directory.readInt32LE(at + 116),
    size: directory.readUInt32LE(at + 120),
  };
}

/** Top-level entries are a tree of siblings; deeper ones belong to embedded objects. */
function children(directory: Buffer, { child }: Entry): Entry[] {
  const found: Entry[] = [];
  const visited = new Set<number>();
  const waiting = [child];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number < 0 || visited.has(number)) continue;
    visited.add(number);
    const entry = entryAt(directory, number);
    found.push(entry);
    waiting.push(entry.left, entry.right);
  }
  return found;
}
