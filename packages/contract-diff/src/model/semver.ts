// Semantic versions (semver.org).
import type { Bump } from './findings.ts';

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Prerelease identifiers; empty for a release. */
  readonly prerelease: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** Parses a version; undefined for invalid ones, such as `1.4` and `v1.4.0`. */
export function parseVersion(value: unknown): Version | undefined {
  const match = typeof value === 'string' ? pattern.exec(value) : null;
  if (!match) return undefined;
  const [, major, minor, patch, prerelease] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease: prerelease?.split('.') ?? [] };
}

/** Negative if `a` precedes `b`, 0 if they are equal in precedence. */
export function compareVersions(a: Version, b: Version): number {
  const numbers = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (numbers !== 0) return numbers;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (let index = 0; index < Math.max(a.prerelease.length, b.prerelease.length); index++) {
    const order = compareIdentifiers(a.prerelease[index], b.prerelease[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA && numberB) return Number(a) - Number(b);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Size of the bump between two versions. Before 1.0.0, a minor bump counts as major, because such versions promise nothing. */
export function bumpBetween(from: Version, to: Version): Bump {
  if (to.major !== from.major) return 'major';
  if (to.minor !== from.minor) return from.major === 0 ? 'major' : 'minor';
  return compareVersions(from, to) === 0 ? 'none' : 'patch';
}
