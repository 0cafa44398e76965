/** What surrounds a test file: the process itself, put back in order after each file. */
import { ModuleMocker } from 'jest-mock';

const { console: consoleOfProcess } = globalThis;
const { exit } = process;
const settings = { ...process.env };

/** The JestEnvironment that jest asks for, without a context of its own. */
export default class BareEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;

  constructor() {
    Object.assign(globalThis, { jest: { spyOn: this.moduleMocker.spyOn.bind(this.moduleMocker) } });
  }

  async setup(): Promise<void> {}

  /** Jest, and files of tests, have replaced some of it. */
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

  /** None: everything runs in that of the process. */
  getVmContext(): null {
    return null;
  }
}
