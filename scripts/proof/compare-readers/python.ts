/** Python readers, in their own virtual environment. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';

const readers = ['openpyxl==3.1.5', 'python-calamine==0.9.1', 'xlrd==2.0.2'];

/**
 * @param folder of the environment, kept between runs
 * @returns its interpreter
 * @throws a readable error when Python is missing
 */
export async function readersOfPython(folder: string): Promise<string> {
  await promisify(execFile)('python3', ['-c', 'import venv']).catch(() => {
    throw new Error(
      'There is no python3 with the module venv here. Two of the readers that ours is compared with are written for it; ' +
        'install it (apt-get install python3-venv). The service itself needs no Python.',
    );
  });
  const python = join(folder, 'bin/python');
  await install(
    {
      generator: readers.join(' '),
      async install(tools) {
        await run('python3', ['-m', 'venv', tools], { cwd: tools });
        await run(python, ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', ...readers], { cwd: tools });
      },
    },
    folder,
  );
  return python;
}
