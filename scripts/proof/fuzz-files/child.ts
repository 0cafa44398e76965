// Parses files of one kind, one by one, in a process that may crash or hang.
import { type Target, targets } from './targets.ts';

export interface ParseResult {
  outcome?: 'taken' | 'refused';
  /** An error other than a rejection. */
  fault?: string;
  peak_mb: number;
}

const target: Target = targets[process.argv[2] as keyof typeof targets]();

process.on('message', async ({ bytes }: { bytes: Uint8Array }) => {
  const result = await target(Buffer.from(bytes)).then(
    (outcome) => ({ outcome }),
    (error: Error) => ({ fault: error.stack ?? String(error) }),
  );
  await new Promise(setImmediate); // let unhandled errors surface
  process.send!({ ...result, peak_mb: process.resourceUsage().maxRSS / 1024 } satisfies ParseResult);
});

process.send!('ready');
