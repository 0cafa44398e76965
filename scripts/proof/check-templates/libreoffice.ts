/** LibreOffice: fills in the template through its scripting bridge, and saves it in every common format. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { project, run } from '../sdk-check/client.ts';
import type { Tool } from './tool.ts';

const program = fileURLToPath(new URL('./fill_libreoffice.py', import.meta.url));
/** The Python with LibreOffice's bridge, which may not be the first in PATH. */
const python = process.env.LIBREOFFICE_PYTHON ?? '/usr/bin/python3';

export const libreoffice: Tool = {
  name: 'libreoffice',
  needs: 'soffice and its bridge to Python (apt-get install libreoffice-calc-nogui python3-uno)',
  formats: ['xlsx', 'ods', 'xls', 'csv'],
  async version() {
    const { stdout } = await promisify(execFile)('soffice', ['--version']);
    await promisify(execFile)(python, ['-c', 'import uno']);
    return stdout.trim();
  },
  async install() {},
  async fill(_tools, template, filling, target) {
    const folder = await mkdtemp(join(tmpdir(), 'libreoffice-'));
    const pipe = `templates${process.pid}`;
    const args = ['--headless', '--norestore', '--nologo', `-env:UserInstallation=${pathToFileURL(folder)}`];
    const office = spawn('soffice', [...args, `--accept=pipe,name=${pipe};urp;`], { stdio: 'ignore', detached: true });
    const ended = once(office, 'close');
    try {
      await run(python, [program, pipe, template, filling, target], { cwd: project });
      await ended;
    } finally {
      if (office.exitCode === null) process.kill(-office.pid!, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  },
};
