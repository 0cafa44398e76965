// Versions, as semver.org has them.
import type { Bump } from './findings.ts';

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The identifiers behind the hyphen; none of them for a release. */
  readonly prerelease: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** The version a value of a document states, or undefined: `1.4` and `v1.4.0` are none. */
export function parseVersion(value: unknown): Version | undefined {
  const match = typeof value === 'string' ? pattern.exec(value) : null;
  if (!match) return undefined;
  const [, major, minor, patch, prerelease] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease: prerelease?.split('.') ?? [] };
}

/** Negative when `a` comes before `b`, 0 when neither comes first. */
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

/**
 * What kind of step leads from one version to a later one. Before 1.0.0 a step of the second number is the largest that is
 * asked for: such a version promises nothing yet.
 */
export function bumpBetween(from: Version, to: Version): Bump {
  if (to.major !== from.major) return 'major';
  if (to.minor !== from.minor) return from.major === 0 ? 'major' : 'minor';
  return compareVersions(from, to) === 0 ? 'none' : 'patch';
}
