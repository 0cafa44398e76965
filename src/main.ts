/**
 * The entry point of every process: `node src/main.ts api worker`. Runs the service, and stops it gracefully on SIGTERM or
 * SIGINT.
 */
import { fileURLToPath } from 'node:url';
import { readConfig } from './platform/config/config.ts';
import { ConfigError } from './platform/config/config-error.ts';
import { exit } from './platform/process/exit.ts';
import './platform/process/heap-growth.ts';
import { startProblem } from './platform/process/start-problem.ts';
import { roles, type Service, type ServiceRole, startService } from './service.ts';

const usage = `Usage: node src/main.ts [api] [worker]

Starts the API, the worker that sends emails and runs other jobs, or (without an argument) both.
Settings come from environment variables; npm run cli -- settings prints them all.`;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(usage);
    return;
  }
  const unknown = args.find((role) => !roles.includes(role as ServiceRole));
  if (unknown) throw new ConfigError(`there is no role "${unknown}"; ${usage}`);
  const service = await startService(readConfig(), args.length > 0 ? { roles: args as ServiceRole[] } : {});
  stopOnSignals(service);
  // Without a certificate there is nothing to reload, but Node would end the process.
  process.on('SIGHUP', service.reloadCertificate ?? (() => {}));
}

/** A second signal exits immediately. */
export function stopOnSignals(service: Service, after?: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      process.once(signal, () => exit(1));
      await service.stop();
      await after?.();
      exit(0);
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(startProblem(error));
    process.exitCode = 1;
    setTimeout(() => exit(1), 1_000).unref();
  });
}
