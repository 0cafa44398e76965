/** The Zapier app of docs/guides/zapier: validates it with Zapier's CLI, and runs it in Zapier's test harness. */
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { project, run } from '../sdk-check/client.ts';
import { redirectUri, stepMark } from './drive-zapier.ts';
import type { Guide } from './guide.ts';

const version = '19.1.0';
const source = join(project, 'docs/guides/zapier');

/** Zapier's packages have their own terms, so the check downloads them, and whoever runs it accepts the terms. */
export const zapier: Guide = {
  name: 'zapier',
  tool: `zapier-platform-cli ${version}`,
  async install(tools) {
    const packages = ['zapier-platform-core', 'zapier-platform-cli'].map((name) => `${name}@${version}`);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', tools, ...flags, ...packages], { cwd: tools });
  },
  async check(tools, { base_url: baseUrl, db }, credentials) {
    const app = join(project, '.data/guides-check/zapier');
    await rm(app, { recursive: true, force: true });
    await mkdir(app, { recursive: true });
    await cp(source, app, { recursive: true });
    await symlink(join(tools, 'node_modules'), join(app, 'node_modules'));
    const client = await createClient(db, { name: 'Zapier', redirect_uris: [redirectUri], public: false });
    const env = {
      BASE_URL: baseUrl,
      CLIENT_ID: client.id,
      CLIENT_SECRET: client.secret!,
      ...{ HOME: tools, ZAPIER_SUPPRESS_DEPRECATION_WARNING: '1' }, // it stores files in the home folder
      ...{ EMAIL: credentials.email, PASSWORD: credentials.password, APP: app },
    };
    // Zapier's servers run the style checks, for signed-in users only.
    const command = [join(app, 'node_modules/zapier-platform-cli/src/bin/run'), 'validate', '--without-style'];
    const validated = await run(process.execPath, command, { cwd: app, env });
    const driven = await run(process.execPath, [join(import.meta.dirname, 'drive-zapier.ts')], { cwd: app, env });
    const words = validated.split('\n').filter((line) => /structural/.test(line));
    const steps = driven.split('\n').filter((line) => line.startsWith(stepMark));
    return [...words, ...steps.map((line) => line.slice(stepMark.length))];
  },
};
