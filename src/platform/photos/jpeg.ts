/** Sanitizes JPEG files (ITU-T T.81) and limits their scans, which the library reads uninterruptibly before the first row. */
import { damagedPhoto, refuseMetadata, refuseScans, refuseSize } from './limits.ts';

export interface PlainJpeg {
  bytes: Buffer;
  /** Whether the decoder must treat warnings as errors. */
  is_strict: boolean;
}

/** Second bytes of markers. */
const marker = {
  huffman: 0xc4,
  extension: 0xc8,
  arithmetic: 0xcc,
  restart: 0xd0,
  begin: 0xd8,
  end: 0xd9,
  scan: 0xda,
  app0: 0xe0,
  exif: 0xe1,
  profile: 0xe2,
  adobe: 0xee,
  comment: 0xfe,
} as const;

/** Prefixes of kept segments, by marker: pixel density, orientation, color profile, color space. */
const retainedMetadata = new Map<number, string>([
  [marker.app0, 'JFIF\0'],
  [marker.exif, 'Exif\0\0'],
  [marker.profile, 'ICC_PROFILE\0'],
  [marker.adobe, 'Adobe'],
]);

const begin = Buffer.from([0xff, marker.begin]);
const end = Buffer.from([0xff, marker.end]);
/** Replaces the lost end of a scan: a few blocks of the last row. */
const fillerBytes = Buffer.alloc(64);

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === marker.begin && bytes[2] === 0xff;
}

/** @returns the same picture with only the needed segments @throws PhotoError when it is damaged or too expensive */
export function sanitizeJpeg(bytes: Buffer): PlainJpeg {
  const retained: Buffer[] = [begin];
  let components = 0;
  let isProgressive = false;
  let scans = 0;
  let metadataBytes = 0;
  for (let at = markerAt(bytes, begin.length); at !== undefined; at = markerAt(bytes, at)) {
    const kind = bytes[at + 1]!;
    if (kind === marker.end) return { bytes: Buffer.concat([...retained, end]), is_strict: false };
    if (isAlone(kind)) {
      at += 2;
      continue;
    }
    const next = at + 2 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : Number.POSITIVE_INFINITY);
    if (next > bytes.length && scans > 0) break; // the segment is truncated
    if (next > bytes.length || next < at + 4) throw damagedPhoto();
    const content = bytes.subarray(at + 4, next);
    const from = at;
    at = next;
    if (isFrame(kind)) {
      if (components > 0) throw damagedPhoto();
      components = frameComponents(content);
      isProgressive = kind % 4 === 2;
    } else if (kind === marker.scan) {
      if (components === 0) throw damagedPhoto();
      refuseScans(++scans);
      at = dataEnd(bytes, next);
    } else if (isMetadata(kind)) {
      const name = retainedMetadata.get(kind);
      if (name === undefined || !content.toString('latin1', 0, name.length).startsWith(name)) continue;
      metadataBytes += content.length;
      refuseMetadata(metadataBytes);
    }
    retained.push(bytes.subarray(from, at));
  }
  return withoutEnd(retained, scans, isProgressive ? components : undefined);
}

/**
 * Repairs a truncated file. A progressive one shows the whole picture once each component has had a scan; of others only a few
 * bytes may be missing, else the library warns.
 */
function withoutEnd(retained: readonly Buffer[], scans: number, progressiveComponents: number | undefined): PlainJpeg {
  if (scans === 0) throw damagedPhoto();
  if (progressiveComponents === undefined) {
    return { bytes: Buffer.concat([...retained, fillerBytes, end]), is_strict: true };
  }
  if (scans <= progressiveComponents) throw damagedPhoto();
  return { bytes: Buffer.concat([...retained, end]), is_strict: false };
}

/** @returns the position of the next marker, after fill and stray bytes; undefined at the end */
function markerAt(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const kind = bytes[at + 1];
    if (kind !== undefined && kind !== 0 && kind !== 0xff) return at;
  }
  return undefined;
}

/** @returns where a scan's data ends: at a marker that is neither an escaped byte nor a restart */
function dataEnd(bytes: Buffer, from: number): number {
  for (let at = markerAt(bytes, from); at !== undefined; at = markerAt(bytes, at + 2)) {
    if (!isRestart(bytes[at + 1]!)) return at;
  }
  return bytes.at(-1) === 0xff ? bytes.length - 1 : bytes.length;
}

function isRestart(kind: number): boolean {
  return kind >= marker.restart && kind < marker.begin;
}

/** Markers without a length. */
function isAlone(kind: number): boolean {
  return kind === 1 || kind === marker.begin || isRestart(kind);
}

function isFrame(kind: number): boolean {
  const isOther = kind === marker.huffman || kind === marker.extension || kind === marker.arithmetic;
  return kind >= 0xc0 && kind <= 0xcf && !isOther;
}

function isMetadata(kind: number): boolean {
  return (kind >= marker.app0 && kind <= 0xef) || kind === marker.comment;
}

/** @throws PhotoError for a picture that is too large */
function frameComponents(frame: Buffer): number {
  if (frame.length < 6) throw damagedPhoto();
  const components = frame[5]!;
  const sampleBytes = frame[0]! > 8 ? 2 : 1;
  refuseSize(frame.readUInt16BE(3), frame.readUInt16BE(1), components * sampleBytes);
  return components;
}
