/** Supply chain rules: the real lockfile, invalid lockfiles, and npm's advisories. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isAllowed,
  type LockfilePolicy,
  licensed,
  lockfileErrors,
} from '../../../scripts/supply-chain/check-lockfile.ts';
import {
  type Advisory,
  AuditUnavailable,
  advisoriesOf,
  evaluateAudit,
} from '../../../scripts/supply-chain/evaluate-audit.ts';
import { type LockedPackage, readLockfile } from '../../../scripts/supply-chain/lockfile.ts';
import { lockfilePolicy as policy } from '../../../scripts/supply-chain/policy.ts';
import { type Sbom, sbomErrors } from '../../../scripts/supply-chain/sbom.ts';
import { run, temporaryFolder } from '../../helpers/command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe('the lockfile', () => {
  test('of this project follows the rules', async () => {
    const lockfile = await readLockfile(root);
    expect(lockfileErrors(lockfile, policy)).toEqual([]);
    expect(licensed(lockfile, policy)).toHaveLength(lockfile.packages.length);
  });

  const good: LockedPackage = {
    path: 'node_modules/a',
    name: 'a',
    version: '1.2.3',
    license: 'MIT',
    integrity: 'sha512-x',
    dev: false,
    in_console: false,
    optional: false,
    installScript: false,
    optionalParts: [],
  };
  const rules: LockfilePolicy = {
    allowedLicenses: ['MIT', 'ISC'],
    licenseExceptions: [],
    statedLicenses: {},
    without_integrity: [],
  };
  const violationsIn = (
    packages: Partial<LockedPackage>[],
    more: Partial<LockfilePolicy> = {},
    ranges = {},
    at = '',
  ) => {
    const wanted = Object.entries<string>(ranges).map(([name, range]) => ({ folder: at, name, range }));
    const lockfile = {
      packages: packages.map((each) => ({ ...good, ...each })),
      requirements: wanted,
      allowScripts: {},
    };
    return lockfileErrors(lockfile, { ...rules, ...more });
  };

  test('is rejected for an install script that isn’t allowed, or would run in the image', () => {
    const errors = (packages: Partial<LockedPackage>[], allowScripts: Record<string, boolean>) =>
      lockfileErrors(
        { packages: packages.map((each) => ({ ...good, ...each })), requirements: [], allowScripts },
        rules,
      );
    const scripted = { installScript: true, dev: true };
    expect(errors([scripted], { a: true })).toEqual([]);
    expect(errors([scripted], { a: false })).toEqual([]);
    expect(errors([scripted], {})).toEqual([
      'node_modules/a: has an install script, and allowScripts in package.json does not name it',
    ]);
    expect(errors([{ ...scripted, dev: false }], { a: false })).toEqual([
      'node_modules/a: needs an install script, and the image is built without any',
    ]);
    expect(errors([scripted, { path: 'node_modules/b/node_modules/a' }], { a: true })).toEqual([
      'node_modules/b/node_modules/a: has the name of a, whose install script is allowed',
    ]);
    expect(errors([{}], { a: true })).toEqual([
      'a: has no install script; remove it from allowScripts in package.json',
    ]);
  });

  test('is rejected with the name of the package that breaks a rule', () => {
    const sharp = { name: 'libx', license: 'LGPL-3.0-or-later', reason: 'a library of its own' };
    expect(violationsIn([{}])).toEqual([]);
    expect(violationsIn([{ license: 'GPL-3.0-only' }])).toEqual([
      'node_modules/a: GPL-3.0-only is not an allowed license',
    ]);
    expect(violationsIn([{ license: undefined }])).toEqual(['node_modules/a: has no license']);
    expect(violationsIn([{ license: undefined }], { statedLicenses: { a: 'MIT' } })).toEqual([]);
    expect(
      violationsIn([{ name: 'libx-linux', license: 'LGPL-3.0-or-later' }], { licenseExceptions: [sharp] }),
    ).toEqual([]);
    expect(violationsIn([{}], { licenseExceptions: [sharp] })).toEqual([
      'libx: no package needs this exception; remove it',
    ]);
    expect(violationsIn([{ integrity: undefined }])).toEqual(['node_modules/a: has no SHA-512 in package-lock.json']);
    expect(violationsIn([{ integrity: 'sha1-x' }])).toEqual(['node_modules/a: has no SHA-512 in package-lock.json']);
    const tool = { name: 'tool-darwin', integrity: undefined, optional: true };
    expect(violationsIn([{ ...tool, dev: true }], { without_integrity: ['tool-'] })).toEqual([]);
    expect(violationsIn([{ ...tool, dev: false }], { without_integrity: ['tool-'] })).toHaveLength(1);
    expect(violationsIn([{}], { without_integrity: ['tool-'] })).toEqual([
      'tool-*: has hashes now; remove it from without_integrity',
    ]);
    expect(violationsIn([{}], {}, { a: '^1.2.3' })).toEqual(['a: ^1.2.3 in package.json is no exact version']);
    expect(violationsIn([{}], {}, { a: '1.2.4' })).toEqual(['a: package.json has 1.2.4, package-lock.json 1.2.3']);
    expect(violationsIn([{}], {}, { b: '1.0.0' })).toEqual(['b: package.json has 1.0.0, package-lock.json nothing']);
  });

  test('is compared with the package.json of each of our packages', () => {
    const own = { path: 'packages/x/node_modules/a', version: '2.0.0' };
    expect(violationsIn([{}, own], {}, { a: '2.0.0' }, 'packages/x')).toEqual([]);
    expect(violationsIn([{}, own], {}, { a: '2.0.0' }, 'packages/y')).toEqual([
      'a: packages/y/package.json has 2.0.0, package-lock.json 1.2.3',
    ]);
    expect(violationsIn([{}], {}, { a: '>=1' }, 'packages/x')).toEqual([
      'a: >=1 in packages/x/package.json is no exact version',
    ]);
  });

  test('distinguishes runtime dependencies of the service from those of our packages', async () => {
    const project = join(folder.path, 'workspaces');
    await mkdir(join(project, 'packages/tool'), { recursive: true });
    const own = { name: 'project', version: '1.0.0', dependencies: { a: '1.0.0' }, devDependencies: { tool: '1.0.0' } };
    const tool = { name: 'tool', version: '1.0.0', dependencies: { a: '2.0.0', c: '1.0.0' } };
    const packages = {
      '': { ...own, workspaces: ['packages/*'] },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '^1.0.0' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/tool': { resolved: 'packages/tool', link: true },
      'packages/tool': tool,
      'packages/tool/node_modules/a': { version: '2.0.0' },
    };
    await writeFile(join(project, 'package.json'), JSON.stringify(own));
    await writeFile(join(project, 'packages/tool/package.json'), JSON.stringify(tool));
    await writeFile(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    const lockfile = await readLockfile(project);
    expect(lockfile.packages.map(({ path, dev }) => [path, dev])).toEqual([
      ['node_modules/a', false],
      ['node_modules/b', false],
      ['node_modules/c', true],
      ['packages/tool/node_modules/a', true],
    ]);
    expect(lockfile.requirements).toEqual([
      { folder: '', name: 'a', range: '1.0.0' },
      { folder: 'packages/tool', name: 'a', range: '2.0.0' },
      { folder: 'packages/tool', name: 'c', range: '1.0.0' },
    ]);
  });

  test('lets platform-specific parts inherit the license of their package', () => {
    const whole = { optionalParts: ['a-darwin'], license: 'ISC' };
    const part = { path: 'node_modules/a-darwin', name: 'a-darwin', license: undefined, optional: true };
    expect(violationsIn([whole, part])).toEqual([]);
    expect(violationsIn([{ ...whole, license: 'GPL-2.0-only' }, part])).toHaveLength(2);
  });

  test.each([
    ['MIT', true],
    ['MIT OR GPL-3.0-only', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND ISC', true],
    ['(MIT AND GPL-3.0-only) OR (ISC)', false],
    ['SEE LICENSE IN LICENSE.md', false],
  ])('%s is allowed: %s', (expression, allowed) => {
    expect(isAllowed(expression, rules.allowedLicenses)).toBe(allowed);
  });
});

describe('advisories', () => {
  let registry: Server;
  let project: string;
  let isResponding = true;
  const advisory = {
    id: 1_106_913,
    url: 'https://github.com/advisories/GHSA-35jh-r3h4-6jhm',
    title: 'Command Injection in lodash',
    severity: 'high',
    vulnerableVersions: '<4.17.21',
    cwe: ['CWE-77', 'CWE-94'],
    cvss: { score: 7.2, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H' },
  };
  const dist = { tarball: 'http://127.0.0.1/x.tgz', integrity: 'sha512-x' };
  const lodash = {
    name: 'lodash',
    'dist-tags': { latest: '4.17.21' },
    versions: Object.fromEntries(['4.17.20', '4.17.21'].map((version) => [version, { name: 'lodash', version, dist }])),
  };

  beforeAll(async () => {
    registry = createServer((req, res) => {
      req.resume();
      res.setHeader('Content-Type', 'application/json');
      if (!isResponding) res.writeHead(405).end('{}');
      else if (req.url?.endsWith('/advisories/bulk')) res.end(JSON.stringify({ lodash: [advisory] }));
      else if (req.url === '/lodash') res.end(JSON.stringify(lodash));
      else res.writeHead(404).end('{}');
    });
    await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
    project = join(folder.path, 'project');
    await mkdir(project);
    const own = { name: 'project', version: '1.0.0', dependencies: { lodash: '4.17.20' } };
    await writeFile(join(project, 'package.json'), JSON.stringify(own));
    const packages = { '': own, 'node_modules/lodash': { version: '4.17.20', integrity: 'sha512-x' } };
    await writeFile(join(project, 'package-lock.json'), JSON.stringify({ ...own, lockfileVersion: 3, packages }));
  });
  afterAll(() => new Promise((closed) => registry.close(closed)));

  const audit = async () => {
    const list = join(folder.path, 'allowed.json');
    await writeFile(list, '[]');
    const env = {
      HOME: folder.path,
      npm_config_cache: join(folder.path, 'cache'),
      npm_config_fetch_retries: '0',
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_update_notifier: 'false',
    };
    return run('scripts/supply-chain/audit.ts', ['--folder', project, '--allowed', list], env);
  };
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const allowance = { id: 'GHSA-35jh-r3h4-6jhm', package: 'lodash', reason: 'for a test', until: day(30) };

  test('fail with name, severity, and path, unless allowed', async () => {
    const found = await audit();
    expect(found).toMatchObject({
      code: 1,
      stderr: 'lodash: high: Command Injection in lodash (GHSA-35jh-r3h4-6jhm) at node_modules/lodash\n',
    });
  });

  test('fail for an allowance that has expired, is too broad, or isn’t needed', () => {
    const found: Advisory = { id: allowance.id, package: 'lodash', severity: 'high', title: '', paths: [] };
    const errors = (...allowed: (typeof allowance)[]) => evaluateAudit([found], allowed, day(0));
    expect(errors(allowance)).toEqual([]);
    expect(errors({ ...allowance, until: day(-1) })).toEqual([
      expect.stringMatching(/^lodash: GHSA-35jh-r3h4-6jhm was allowed until \S+: update the package/),
    ]);
    expect(errors({ ...allowance, until: day(91) })).toEqual([expect.stringContaining('longer than 90 days')]);
    expect(errors(allowance, { ...allowance, id: 'GHSA-p6mc-m468-83gw' })).toEqual([
      'lodash: GHSA-p6mc-m468-83gw is not found anymore: remove it from the list',
    ]);
  });

  test('are skipped with a message if the registry doesn’t respond', async () => {
    isResponding = false;
    const audited = await audit();
    expect(audited.code).toBe(0);
    expect(audited.stderr).toMatch(/^Packages were not checked for known vulnerabilities: .*405.*\n$/);
    isResponding = true;
  });

  test('of a nested package are reported once with their location', () => {
    const via = { source: 1, name: 'minimist', title: 'Prototype Pollution', severity: 'critical' };
    const url = 'https://github.com/advisories/GHSA-xvch-5gv4-984h';
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        minimist: {
          name: 'minimist',
          nodes: ['node_modules/minimist', 'node_modules/mkdirp/node_modules/minimist'],
          via: [{ ...via, url }],
        },
        mkdirp: { name: 'mkdirp', nodes: ['node_modules/mkdirp'], via: ['minimist'] },
      },
    };
    const expected: Advisory = {
      id: 'GHSA-xvch-5gv4-984h',
      package: 'minimist',
      severity: 'critical',
      title: 'Prototype Pollution',
      paths: ['node_modules/minimist', 'node_modules/mkdirp/node_modules/minimist'],
    };
    expect(advisoriesOf(report)).toEqual([expected]);
    expect(evaluateAudit([expected], [], day(0))).toHaveLength(1);
    expect(() => advisoriesOf({ message: 'no' })).toThrow(AuditUnavailable);
  });
});

test('the SBOM is valid and includes vendored code', async () => {
  const env = { HOME: folder.path, npm_config_cache: join(folder.path, 'cache') };
  expect(await run('scripts/supply-chain/write-sbom.ts', [folder.path], env)).toMatchObject({ code: 0 });
  const read = async (name: string): Promise<Sbom> => JSON.parse(await readFile(join(folder.path, name), 'utf8'));
  const [sbom, running] = [await read('sbom-development.cdx.json'), await read('sbom.cdx.json')];
  for (const each of [sbom, running]) {
    expect(sbomErrors(each)).toEqual([]);
    expect(each.metadata.component).toMatchObject({ name: 'collaborator-management-api', type: 'application' });
  }
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['express', 'postgresql', 'node']));
  const developed = sbom.components.filter(({ properties }) =>
    properties.some(({ name }) => name === 'cdx:npm:package:development'),
  );
  const tools = developed.map((each) => each['bom-ref']);
  expect(tools).toEqual(
    expect.arrayContaining(['@collaborator-api/openapi-contract-diff@1.0.0', 'refa@0.12.1', 'jest@30.5.2']),
  );
  expect(new Set(developed.map(({ scope }) => scope))).toEqual(new Set(['excluded']));
  const runNames = running.components.map((each) => each.name);
  expect(runNames).toEqual(expect.arrayContaining(['express', 'react']));
  for (const tool of ['jest', 'typescript', 'vite', '@collaborator-api/openapi-contract-diff', 'postgresql', 'node']) {
    expect(runNames).not.toContain(tool);
  }
  const refs = running.components.map((each) => each['bom-ref']);
  expect(refs.filter((ref) => tools.includes(ref))).toEqual([]);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(dependencies)) expect(tools).not.toContain(`${name}@${version}`);
  const broken = { ...sbom, components: [{ ...sbom.components[0]!, type: 'nonsense' }] };
  expect(sbomErrors(broken)).toEqual(
    expect.arrayContaining(['/components/0/type: must be equal to one of the allowed values']),
  );
  const versions = await new Promise<string>((resolve) =>
    execFile(join(root, 'node_modules/.bin/node'), ['--version'], (_, out) => resolve(out.trim())),
  );
  expect(sbom.components.find(({ purl }) => purl.startsWith('pkg:generic/node@'))!.version).toBe(versions.slice(1));
});
