// Lints both OpenAPI documents with third-party tools, and validates recorded responses against each: `make proof
// NAME=documents`.
//
//   node scripts/proof/documents/check-documents.ts <folder of recorded exchanges>
//
// Downloads Spectral from npm, and openapi-spec-validator and openapi-core from PyPI, into .data/tools or TOOLS_CACHE.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cache, type PublishedDocument, project, run } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';

const spectral = '@stoplight/spectral-cli@6.16.3';
const owasp = '@stoplight/spectral-owasp-ruleset@2.0.1';
const validators = ['openapi-core==0.23.1', 'openapi-spec-validator==0.8.5'];
const documents: PublishedDocument[] = ['openapi.json', 'openapi-3.0.json'];
/** Rate limit headers in every response: the only OWASP rule that is not a matter of taste here. */
const ruleset = `extends:
  - spectral:oas
  - ["${owasp.slice(0, owasp.lastIndexOf('@'))}", off]
rules:
  owasp:api4:2023-rate-limit: error
`;

const folder = process.argv[2];
if (!folder) throw new Error('the folder is required');
const tools = join(cache, 'documents');
await install({ generator: [spectral, owasp, ...validators].join(' '), install: download }, tools);
await writeFile(join(tools, 'ruleset.yaml'), ruleset);
let isGood = true;
for (const document of documents) {
  const path = join(project, 'generated', document);
  await runCheck(`${document}, Spectral`, 'node_modules/.bin/spectral', ['lint', path, '-r', 'ruleset.yaml']);
  await runCheck(`${document}, openapi-spec-validator`, 'venv/bin/openapi-spec-validator', [path]);
  const check = [join(project, 'scripts/proof/documents/check-responses.py'), path, resolve(folder)];
  await runCheck(`${document}, openapi-core`, 'venv/bin/python', check);
}
process.exitCode = isGood ? 0 : 1;

async function download(): Promise<void> {
  await mkdir(tools, { recursive: true });
  await writeFile(join(tools, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', spectral, owasp], { cwd: tools });
  await run('python3', ['-m', 'venv', 'venv'], { cwd: tools });
  await run(join(tools, 'venv/bin/pip'), ['install', '--quiet', ...validators], { cwd: tools });
}

async function runCheck(label: string, command: string, args: string[]): Promise<void> {
  try {
    console.log(`${label}: ${(await run(join(tools, command), args, { cwd: tools })).trim()}`);
  } catch (error) {
    isGood = false;
    console.log(`${label}: ${(error as Error).message}`);
  }
}
