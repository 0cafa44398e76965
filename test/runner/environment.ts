/** A jest environment that runs test files in the process itself and restores global state after each. */
import { ModuleMocker } from 'jest-mock';

const { console: consoleOfProcess } = globalThis;
const { exit } = process;
const settings = { ...process.env };

// Without its main process a worker would stay, held by its connections. Not by a listener for `disconnect`: that would keep
// workers from ending regularly.
setInterval(() => process.connected === false && exit(1), 1_000).unref();

/** The JestEnvironment that jest requires, without its own VM context. */
export default class BareEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;

  constructor() {
    Object.assign(globalThis, { jest: { spyOn: this.moduleMocker.spyOn.bind(this.moduleMocker) } });
  }

  /** Drops jest's source maps: nothing is compiled, and supertest takes a stack for each `expect`. */
  async setup(): Promise<void> {
    Object.assign(Error, { prepareStackTrace: undefined });
  }

  /** Undoes what jest and the test file replaced. */
  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    globalThis.console = consoleOfProcess;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(settings, name)) delete process.env[name];
    Object.assign(process.env, settings);
  }

  exportConditions(): string[] {
    return ['node'];
  }

  /** Null: everything runs in the main context. */
  getVmContext(): null {
    return null;
  }
}
