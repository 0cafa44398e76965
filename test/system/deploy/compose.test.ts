/** compose.yaml: valid by the specification, without built-in credentials. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readConfig, refuseUnsafeSettings } from '../../../src/platform/config/config.ts';
import { documentsOf, generateSecrets, root, settingNames, text } from './files.ts';

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[] | Record<string, unknown>;
  ports?: string[];
  secrets?: string[];
  healthcheck?: object;
  mem_limit?: string;
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
}

let file: {
  services: Record<string, Service>;
  networks: Record<string, { ipam?: { config: object[] } } | null>;
  secrets: Record<string, { file: string }>;
};
beforeAll(async () => {
  file = (await documentsOf('compose.yaml'))[0] as unknown as typeof file;
});

test('is valid by the specification', async () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, logger: false }));
  const valid = ajv.compile(JSON.parse(await text('test/system/deploy/schemas/compose.json')));
  expect(valid(file) ? '' : ajv.errorsText(valid.errors)).toBe('');
  expect(valid({ ...file, services: { api: { image: 'x', commandLine: 'y' } } })).toBe(false);
});

test('has Postgres, two APIs, a worker, and a proxy, and only the proxy is reachable from outside', () => {
  const { services } = file;
  expect(Object.keys(services)).toEqual(['proxy', 'api-1', 'api-2', 'worker', 'postgres']);
  expect(Object.keys(services).filter((name) => services[name]!.ports)).toEqual(['proxy']);
  expect(services.postgres!.networks).toEqual(['database']);
  for (const name of ['proxy', 'api-1', 'api-2', 'worker']) {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  }
});

test('each service has a memory limit, for API and worker the same as on Kubernetes', async () => {
  const { services } = file;
  const limits = Object.fromEntries(
    Object.entries(services).map(([name, { mem_limit: memLimit }]) => [name, memLimit]),
  );
  expect(limits).toEqual({ proxy: '256m', 'api-1': '2g', 'api-2': '2g', worker: '2g', postgres: '2g' });
  expect(await text('deploy/kubernetes/api.yaml')).toContain('limits:\n              memory: 2Gi\n');
  expect(await text('deploy/kubernetes/worker.yaml')).toContain('limits:\n              memory: 2Gi\n');
});

test('has only known settings, trusts the proxy only, and allows time to shut down', async () => {
  const known = settingNames();
  for (const name of ['api-1', 'api-2', 'worker']) {
    const set = Object.keys(file.services[name]!.environment!);
    expect(set.filter((setting) => !known.has(setting))).toEqual([]);
  }
  const { environment, stop_grace_period: stopGracePeriod } = file.services['api-1']!;
  const { web } = file.services.proxy!.networks as { web: { ipv4_address: string } };
  expect(environment!.TRUST_PROXY).toBe(web.ipv4_address);
  expect(Number.parseInt(stopGracePeriod!, 10) * 1_000).toBeGreaterThan(
    Number(environment!.SHUTDOWN_DELAY_MS) + 30_000,
  );
});

test('no other container can get the proxy’s address, because it starts after them', () => {
  const { web } = file.services.proxy!.networks as { web: { ipv4_address: string } };
  const [{ subnet, ip_range: range }] = file.networks.web!.ipam!.config as [{ subnet: string; ip_range: string }];
  const isIn = (network: string) => {
    const [address, bits] = network.split('/');
    const list = new BlockList();
    list.addSubnet(address!, Number(bits));
    return list.check(web.ipv4_address);
  };
  expect([isIn(subnet), isIn(range)]).toEqual([true, false]);
});

test('contains no password: secrets are files ignored by git, generated for each installation', async () => {
  expect(await text('compose.yaml')).not.toMatch(/(PASSWORD|KEY|SECRET)\w*: (?!\/run\/secrets\/)\S/);
  expect(await text('.gitignore')).toContain('deploy/compose/secrets/');
  const folder = join(tmpdir(), `compose-${process.pid}`);
  await mkdir(folder);
  try {
    await cp(fileURLToPath(new URL('deploy/compose/make-secrets.sh', root)), join(folder, 'make-secrets.sh'));
    const make = (env: Record<string, string>) =>
      promisify(execFile)('sh', [join(folder, 'make-secrets.sh')], { env: { PATH: process.env.PATH, ...env } });
    await expect(make({})).rejects.toThrow(/set SMTP_URL/);
    const { stdout } = await make({ SMTP_URL: 'smtps://people:hunter2@mail.example.com' });
    const named = Object.values(file.secrets).map((secret) => secret.file.split('/').at(-1)!);
    expect(
      stdout
        .match(/secrets\/\w+/g)!
        .map((path) => path.split('/')[1])
        .sort(),
    ).toEqual(named.sort());
    const content = (name: string) => readFile(join(folder, 'secrets', name), 'utf8');
    const key = await content('encryption_key');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(await content('database_url')).toContain(`:${await content('database_password')}@postgres:5432/`);
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
    await make({}); // a second run replaces nothing
    expect(await content('encryption_key')).toBe(key);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('production accepts the settings, given secrets, a domain, and a sender', () => {
  for (const name of ['api-1', 'worker']) {
    const set = Object.entries(file.services[name]!.environment!).filter(([setting]) => !setting.endsWith('_FILE'));
    const given = { DOMAIN: 'people.example', MAIL_FROM: 'People <people@people.example>' };
    const filled = set.map(([setting, value]) => [
      setting,
      value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, variable: keyof typeof given) => given[variable]),
    ]);
    expect(refuseUnsafeSettings(readConfig({ ...Object.fromEntries(filled), ...generateSecrets() }))).toEqual([]);
  }
});
