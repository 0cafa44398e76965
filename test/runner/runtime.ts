/**
 * Loads files of tests as Node loads any other, instead of as jest does: in a world of its own each, of two thousand modules.
 * Files take a third of the time, and `instanceof` holds between what the language, Node and libraries made.
 * It costs that files of one worker share the modules of the service: a module that remembers something does so for all.
 * To switch it off: take `runtime` and `testEnvironment` out of jest.config.ts, give jest a transform for TypeScript, and node
 * the flag --experimental-vm-modules.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime') as typeof import('jest-runtime');
let loaded = 0;

export default class BareRuntime extends Runtime {
  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** Of tests, and what is set up before them: again for each file. */
  override async unstable_importModule(path: string): Promise<undefined> {
    await import(`${pathToFileURL(path).href}?loaded=${loaded++}`);
  }

  /** Jest's own: its list of tests is a new one for each file. */
  override requireInternalModule<T>(from: string, to?: string): T {
    const path = to ?? from;
    delete require.cache[path];
    return require(path) as T;
  }
}
