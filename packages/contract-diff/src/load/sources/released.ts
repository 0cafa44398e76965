// Folder of released snapshots: one file per release, named after its version.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, parseVersion, type Version } from '../../model/semver.ts';

interface Release {
  readonly file: string;
  readonly version: Version;
  /** Webhook payload version, if only that was raised. */
  readonly payload: Version | undefined;
}

/** File name of a release: its version, plus the payload version if the former was released before. */
export const releaseName = (version: string, payload?: string): string =>
  `${version}${payload === undefined ? '' : `+payload.${payload}`}.json`;

/** The newest release in a folder; undefined if there is none. */
export const newestRelease = (folder: string): string | undefined => releasesIn(folder).at(-1);

export function releasesIn(folder: string): readonly string[] {
  const releases = namesIn(folder).flatMap((name): Release[] => {
    const [, written, payload] = /^v?(.+?)(?:\+payload\.(.+))?\.(?:json|ya?ml)$/.exec(name) ?? [];
    const version = parseVersion(written);
    return version ? [{ file: join(folder, name), version, payload: parseVersion(payload) }] : [];
  });
  return releases.sort(order).map(({ file }) => file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const order = (a: Release, b: Release): number => {
  const own = compareVersions(a.version, b.version);
  if (own !== 0 || !a.payload || !b.payload) return own || Number(Boolean(a.payload)) - Number(Boolean(b.payload));
  return compareVersions(a.payload, b.payload);
};
