// Relations between formats.

import type { Ajv2020 } from 'ajv/dist/2020.js';
import { makeAjv } from './ajv.ts';

let cachedAjv: Ajv2020 | undefined;

const ajv = (): Ajv2020 => {
  cachedAjv ??= makeAjv({});
  return cachedAjv;
};

/** Formats whose values also have other formats, as ajv-formats validates them. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['iso-date-time'],
  time: ['iso-time'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  int32: ['int64'],
};

/** Formats that validators ignore: they only describe the meaning. */
const unrestricting = new Set(['float', 'double', 'password', 'binary']);

const numeric = new Set(['int32', 'int64', 'float', 'double']);

/** Mutually exclusive formats. */
const exclusive = ['date-time', 'date', 'time', 'uuid', 'email', 'ipv4', 'ipv6', 'duration'];

const lengths: Readonly<Record<string, readonly [number, number]>> = { date: [10, 10], uuid: [36, 45], ipv4: [7, 15] };

/** Sample values by format. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  'date-time': ['2024-02-29T12:30:00Z'],
  'iso-date-time': ['2024-02-29T12:30:00Z', '2024-02-29T12:30:00'],
  date: ['2024-02-29'],
  time: ['12:30:00Z'],
  'iso-time': ['12:30:00Z', '12:30:00'],
  duration: ['P1DT2H'],
  uri: ['https://example.com/a', 'urn:a:b'],
  url: ['https://example.com/a'],
  'uri-reference': ['/a/b', 'https://example.com/a'],
  'uri-template': ['/a/{b}', '/a'],
  iri: ['https://example.com/ä'],
  email: ['a@example.com'],
  hostname: ['example.com', 'a'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  regex: ['^a$', 'a'],
  uuid: ['3fa85f64-5717-4562-b3fc-2c963f66afa6'],
  'json-pointer': ['/a/b', ''],
  'relative-json-pointer': ['1/a', '0'],
  byte: ['YWJj', ''],
  int32: [0, 2_147_483_647],
  int64: [0, 2_147_483_648],
};

/** Whether values with format `a` (undefined: any) have format `b`; undefined if unknown. */
export function formatImplies(a: string | undefined, b: string, type: 'string' | 'number'): boolean | undefined {
  if (a === b || !restricts(b, type)) return true;
  if (a === undefined || !restricts(a, type)) return isKnown(b) ? false : undefined;
  return (widerFormats[a]?.includes(b) ?? false) || undefined;
}

export function formatsExclude(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b && exclusive.includes(a) && exclusive.includes(b);
}

export function formatLengths(format: string | undefined): readonly [number, number] {
  return lengths[format ?? ''] ?? [0, Number.POSITIVE_INFINITY];
}

export function formatSamples(format: string): readonly unknown[] {
  return samples[format] ?? [];
}

const checks = new Map<string, (value: unknown) => boolean>();

/** Whether Ajv accepts a value for a format; it accepts anything for unknown formats. */
export function hasFormat(value: string | number, format: string | undefined): boolean {
  if (format === undefined || !restricts(format, typeof value === 'string' ? 'string' : 'number')) return true;
  let check = checks.get(format);
  if (!check) {
    check = ajv().compile({ format });
    checks.set(format, check);
  }
  return check(value);
}

/** Whether all strings of a format are known to have the other one as well. */
export const isWithinFormat = (a: string, b: string): boolean => widerFormats[a]?.includes(b) ?? false;

/** Whether validators enforce a format for a type; many formats only describe the meaning. */
export function isFormatEnforced(format: string, type: 'string' | 'integer' | 'number'): boolean {
  if (unrestricting.has(format)) return false;
  // Validators allow every integer for int64, but a number need not be an integer.
  if (numeric.has(format)) return type !== 'string' && (format !== 'int64' || type === 'number');
  return type === 'string' && isKnown(format);
}

function restricts(format: string, type: 'string' | 'number'): boolean {
  return !unrestricting.has(format) && numeric.has(format) === (type === 'number');
}

function isKnown(format: string): boolean {
  return ajv().formats[format] !== undefined;
}
