// Takes files of one kind apart, one after the other, in a process that may crash or hang.
import { type Target, targets } from './targets.ts';

export interface Answer {
  outcome?: 'taken' | 'refused';
  /** What is no refusal. */
  fault?: string;
  /** Of this process, so far. */
  peak_mb: number;
}

const target: Target = targets[process.argv[2] as keyof typeof targets]();

process.on('message', async ({ bytes }: { bytes: Uint8Array }) => {
  const answer = await target(Buffer.from(bytes)).then(
    (outcome) => ({ outcome }),
    (error: Error) => ({ fault: error.stack ?? String(error) }),
  );
  await new Promise(setImmediate); // an error that nobody hears comes now
  process.send!({ ...answer, peak_mb: process.resourceUsage().maxRSS / 1024 } satisfies Answer);
});

process.send!('ready');
