/** Checks a lockfile against the policy: exact versions, hashes, approved install scripts, and allowed licenses. */
import { installedFor, type LockedPackage, type Lockfile } from './lockfile.ts';
import type { LicenseException } from './policy.ts';

export interface LockfilePolicy {
  allowedLicenses: readonly string[];
  licenseExceptions: readonly LicenseException[];
  statedLicenses: Readonly<Record<string, string>>;
  without_integrity: readonly string[];
}

/** A package with its effective license. */
export interface LicensedPackage extends LockedPackage {
  license: string;
}

/** @returns findings, one line each */
export function lockfileErrors(lockfile: Lockfile, policy: LockfilePolicy): string[] {
  return [
    ...versionErrors(lockfile),
    ...integrityErrors(lockfile, policy),
    ...scriptErrors(lockfile),
    ...licenseErrors(lockfile, policy),
  ];
}

/** Omits packages without a known license, which `lockfileErrors` reports. */
export function licensed({ packages }: Lockfile, { statedLicenses }: LockfilePolicy): LicensedPackage[] {
  const whole = new Map(packages.flatMap((each) => each.optionalParts.map((part) => [part, each.license] as const)));
  return packages.flatMap((each) => {
    // A platform-specific part that was never downloaded has the license of its parent package.
    const license = each.license ?? statedLicenses[each.name] ?? (each.optional ? whole.get(each.name) : undefined);
    return license ? [{ ...each, license }] : [];
  });
}

/** Whether an SPDX expression is allowed: OR needs one side, AND both. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (/[()]/.test(text)) return false; // nested expressions need a manual review
  return text.split(' OR ').some((side) => side.split(' AND ').every((id) => allowed.includes(id.trim())));
}

function versionErrors({ packages, requirements }: Lockfile): string[] {
  const locked = Object.fromEntries(packages.map(({ path, version }) => [path, version]));
  return requirements.flatMap(({ folder, name, range }) => {
    const file = `${folder && `${folder}/`}package.json`;
    const version = range.replace(/^npm:.*@/, '');
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${name}: ${range} in ${file} is no exact version`];
    const found = locked[installedFor(folder, name, locked) ?? ''];
    return found === version ? [] : [`${name}: ${file} has ${version}, package-lock.json ${found ?? 'nothing'}`];
  });
}

function integrityErrors({ packages }: Lockfile, { without_integrity: withoutIntegrity }: LockfilePolicy): string[] {
  const unhashed = packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'));
  const isKnown = ({ name, dev, optional }: LockedPackage) =>
    dev && optional && withoutIntegrity.some((prefix) => name.startsWith(prefix));
  const unneeded = withoutIntegrity.filter((prefix) => !unhashed.some(({ name }) => name.startsWith(prefix)));
  return [
    ...unhashed.filter((each) => !isKnown(each)).map(({ path }) => `${path}: has no SHA-512 in package-lock.json`),
    ...unneeded.map((prefix) => `${prefix}*: has hashes now; remove it from without_integrity`),
  ];
}

/**
 * Every install script must be approved. npm matches approved packages by name, so a nested package must not share such a name.
 * The container image runs no scripts at all.
 */
function scriptErrors({ packages, allowScripts }: Lockfile): string[] {
  const scripted = packages.filter(({ installScript }) => installScript);
  const unneeded = Object.keys(allowScripts).filter((allowed) => !scripted.some(({ name }) => name === allowed));
  return [
    ...scripted
      .filter(({ name }) => allowScripts[name] === undefined)
      .map(({ path }) => `${path}: has an install script, and allowScripts in package.json does not name it`),
    ...scripted
      .filter(({ dev }) => !dev)
      .map(({ path }) => `${path}: needs an install script, and the image is built without any`),
    ...packages
      .filter(({ name, path }) => allowScripts[name] && path !== `node_modules/${name}`)
      .map(({ path, name }) => `${path}: has the name of ${name}, whose install script is allowed`),
    ...unneeded.map((name) => `${name}: has no install script; remove it from allowScripts in package.json`),
  ];
}

function licenseErrors(lockfile: Lockfile, policy: LockfilePolicy): string[] {
  const { allowedLicenses, licenseExceptions } = policy;
  const known = licensed(lockfile, policy);
  const named = new Set(known.map(({ path }) => path));
  const needed = new Set<LicenseException>();
  const errors = lockfile.packages.filter(({ path }) => !named.has(path)).map(({ path }) => `${path}: has no license`);
  for (const { path, name, license } of known) {
    if (isAllowed(license, allowedLicenses)) continue;
    const exception = licenseExceptions.find(
      (each) => name.startsWith(each.name) && isAllowed(license, [...allowedLicenses, each.license]),
    );
    if (exception) needed.add(exception);
    else errors.push(`${path}: ${license} is not an allowed license`);
  }
  const unneeded = licenseExceptions.filter((each) => !needed.has(each));
  return [...errors, ...unneeded.map(({ name }) => `${name}: no package needs this exception; remove it`)];
}
