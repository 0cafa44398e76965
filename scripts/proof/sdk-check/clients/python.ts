/** The Python clients, each in its own virtual environment. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

const generator = 'openapi-python-client==0.29.1';
const typeChecker = 'mypy==2.4.1';
const needs = [needsCommand('python3')];

export const python: SdkClient = {
  name: 'python',
  generator: generator.replace('==', ' '),
  document: 'openapi.json',
  length: 'whole',
  needs,
  async install(tools) {
    await run('python3', ['-m', 'venv', 'venv'], { cwd: tools });
    await pip(tools, [generator, typeChecker], tools);
  },
  async build({ tools, work, document }) {
    await copyFile(join(trips, 'python/trip.py'), join(work, 'trip.py'));
    const config = join(trips, 'python/openapi-python-client.yaml');
    const args = ['generate', '--path', document, '--config', config, '--output-path', 'client', '--fail-on-warning'];
    const env = { PATH: `${join(tools, 'venv/bin')}:${process.env.PATH}` }; // it calls ruff by name
    await run(join(tools, 'venv/bin/openapi-python-client'), args, { cwd: work, env });
    await pip(tools, ['--force-reinstall', '--no-deps', './client'], work);
    await run(join(tools, 'venv/bin/mypy'), ['--strict', 'client', 'trip.py'], { cwd: work });
  },
  trip: ({ tools }) => [join(tools, 'venv/bin/python'), 'trip.py'],
};

/** Pinned dependencies of its clients; their own setup has ranges. */
const libraries = ['urllib3==2.7.0', 'python-dateutil==2.9.0.post0', 'pydantic==2.13.4', 'typing-extensions==4.15.0'];

export const pythonByOpenapiGenerator: SdkClient = {
  name: 'python-openapi-generator',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [...needs, ...needsJava],
  async install(tools) {
    await installOpenapiGenerator();
    await run('python3', ['-m', 'venv', 'venv'], { cwd: tools });
    await pip(tools, libraries, tools);
  },
  async build(folders) {
    const { tools, work } = folders;
    await generateClient(folders, 'python', { properties: { packageName: 'collaborators' } });
    await copyFile(join(trips, 'python/openapi-generator.py'), join(work, 'client/trip.py'));
    const all =
      'import pkgutil, collaborators as c; [__import__(m.name) for m in pkgutil.walk_packages(c.__path__, "collaborators.")]';
    await run(join(tools, 'venv/bin/python'), ['-c', all], { cwd: join(work, 'client') });
  },
  trip: ({ tools }) => [join(tools, 'venv/bin/python'), 'client/trip.py'],
};

function pip(tools: string, args: string[], cwd: string): Promise<string> {
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  return run(join(tools, 'venv/bin/python'), [...install, ...args], { cwd });
}
