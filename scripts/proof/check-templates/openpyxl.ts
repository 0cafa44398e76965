/** openpyxl, the usual workbook library for Python. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { project, run } from '../sdk-check/client.ts';
import type { Tool } from './tool.ts';

const library = 'openpyxl==3.1.5';
const program = fileURLToPath(new URL('./fill_openpyxl.py', import.meta.url));

export const openpyxl: Tool = {
  name: 'openpyxl',
  needs: 'python3 with the module venv (apt-get install python3-venv)',
  formats: ['xlsx'],
  async version() {
    const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys, venv; print(sys.version.split()[0])']);
    return `${library}, Python ${stdout.trim()}`;
  },
  async install(tools) {
    await run('python3', ['-m', 'venv', tools], { cwd: tools });
    await run(join(tools, 'bin/python'), ['-m', 'pip', 'install', '--quiet', library], { cwd: tools });
  },
  async fill(tools, template, filling, target) {
    await run(join(tools, 'bin/python'), [program, template, filling, target], { cwd: project });
  },
};
