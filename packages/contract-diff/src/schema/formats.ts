// What is known of formats, beyond that equal ones are equal.

import type { Ajv2020 } from 'ajv/dist/2020.js';
import { makeAjv } from './ajv.ts';

let made: Ajv2020 | undefined;

const checker = (): Ajv2020 => {
  made ??= makeAjv({});
  return made;
};

/** Formats all of whose values have the second format too, as ajv-formats checks them. */
const wider: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['iso-date-time'],
  time: ['iso-time'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  int32: ['int64'],
};

/** Formats that refuse nothing of their type: they say what a value means, not what it may be. */
const unrestricting = new Set(['float', 'double', 'password', 'binary']);

const numeric = new Set(['int32', 'int64', 'float', 'double']);

/** Formats whose strings are never of another one of these. */
const exclusive = ['date-time', 'date', 'time', 'uuid', 'email', 'ipv4', 'ipv6', 'duration'];

/** The least and the largest number of characters of a format's strings. */
const lengths: Readonly<Record<string, readonly [number, number]>> = { date: [10, 10], uuid: [36, 45], ipv4: [7, 15] };

/** A string or number of each format, to make instances of. */
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

/** Whether a value of the type with the format `a` (undefined: any) has the format `b`: undefined when it is not known. */
export function formatImplies(a: string | undefined, b: string, type: 'string' | 'number'): boolean | undefined {
  if (a === b || !restricts(b, type)) return true;
  if (a === undefined || !restricts(a, type)) return isKnown(b) ? false : undefined;
  return (wider[a]?.includes(b) ?? false) || undefined;
}

/** Whether no string has both formats. */
export function formatsExclude(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b && exclusive.includes(a) && exclusive.includes(b);
}

/** The least and largest length of the format's strings. */
export function formatLengths(format: string | undefined): readonly [number, number] {
  return lengths[format ?? ''] ?? [0, Number.POSITIVE_INFINITY];
}

/** Values of the format. */
export function formatSamples(format: string): readonly unknown[] {
  return samples[format] ?? [];
}

const checks = new Map<string, (value: unknown) => boolean>();

/** Whether Ajv would accept the string or number for the format: it accepts all for a format it does not know. */
export function hasFormat(value: string | number, format: string | undefined): boolean {
  if (format === undefined || !restricts(format, typeof value === 'string' ? 'string' : 'number')) return true;
  let check = checks.get(format);
  if (!check) {
    check = checker().compile({ format });
    checks.set(format, check);
  }
  return check(value);
}

/** Whether all strings of a format have the other one too, as far as that is known. */
export const isWithinFormat = (a: string, b: string): boolean => wider[a]?.includes(b) ?? false;

/** Whether validators refuse values of the type by the format: many formats only say what a value is. */
export function refusesByFormat(format: string, type: 'string' | 'integer' | 'number'): boolean {
  if (unrestricting.has(format)) return false;
  // Every integer is within what validators allow for int64; a number need not be an integer.
  if (numeric.has(format)) return type !== 'string' && (format !== 'int64' || type === 'number');
  return type === 'string' && isKnown(format);
}

function restricts(format: string, type: 'string' | 'number'): boolean {
  return !unrestricting.has(format) && numeric.has(format) === (type === 'number');
}

function isKnown(format: string): boolean {
  return checker().formats[format] !== undefined;
}
