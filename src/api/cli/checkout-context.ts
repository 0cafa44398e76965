import { type CliContext, httpAddress } from '../../../packages/cli/src/terminal/context.ts';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type Environment, runningService } from '../../platform/config/development.ts';

/** npm passes the user's folder in INIT_CWD. Settings such as DATA_DIR stay relative to the checkout, as for the service. */
export function checkoutContext(environment: Environment, cwd: string): CliContext {
  const { npm_lifecycle_event: npmLifecycleEvent, INIT_CWD, BASE_URL, PORT } = environment;
  return {
    environment,
    program: 'npm run cli --',
    folder: (npmLifecycleEvent === 'cli' && INIT_CWD) || cwd,
    async defaultAddress() {
      if (BASE_URL) return httpAddress(BASE_URL);
      const running = await runningService(environment);
      if (running) return running.base_url;
      if (PORT && PORT !== '0') return `http://127.0.0.1:${PORT}`;
      // No default port: the service of another checkout may use it.
      throw new CliError(
        'no service runs in this checkout: start it with `make run`, or set one with --base-url, API_URL, or PORT',
      );
    },
  };
}
