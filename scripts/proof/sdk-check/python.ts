/** The Python client, made by openapi-python-client in a virtual environment of its own. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, run, type SdkClient, trips } from './client.ts';

const generator = 'openapi-python-client==0.29.1';
const type_checker = 'mypy==2.4.1';

export const python: SdkClient = {
  name: 'python',
  generator: generator.replace('==', ' '),
  needs: ['python3'],
  async install(cwd) {
    await run('python3', ['-m', 'venv', 'venv'], { cwd });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run('venv/bin/python', [...pip, generator, type_checker], { cwd });
  },
  async build(cwd) {
    await copyFile(join(trips, 'python/trip.py'), join(cwd, 'trip.py'));
    const config = join(trips, 'python/openapi-python-client.yaml');
    const args = ['generate', '--path', contract, '--config', config, '--output-path', 'client', '--fail-on-warning'];
    const env = { PATH: `${join(cwd, 'venv/bin')}:${process.env.PATH}` }; // it calls ruff by name
    await run('venv/bin/openapi-python-client', args, { cwd, env });
    await run('venv/bin/python', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', './client'], {
      cwd,
    });
    await run('venv/bin/mypy', ['--strict', 'client', 'trip.py'], { cwd });
  },
  trip: () => ['venv/bin/python', 'trip.py'],
};
