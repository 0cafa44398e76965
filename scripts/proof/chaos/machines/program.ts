// One client's program: chooses operations at random from its own seed, and records every response in the model.
import { setTimeout as sleep } from 'node:timers/promises';
import { documentOperations } from '../operations/documents.ts';
import { peopleOperations } from '../operations/people.ts';
import { readOperations } from '../operations/reads.ts';
import { subscriptionOperations } from '../operations/subscriptions.ts';
import { tableOperations } from '../operations/tables.ts';
import type { Receivers } from '../receivers.ts';
import { createStaff, type StaffOptions } from '../staff.ts';

interface ProgramOptions extends StaffOptions {
  receivers: Receivers;
  photos: Buffer[];
  without: readonly OperationName[];
  /** Average pause between two requests, in milliseconds. */
  pause_ms: number;
}

interface Program {
  step(): Promise<void>;
  /** Runs until `signal` is aborted, and finishes the current operation. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates people first until there are this many. */
const minPeople = 3;

export function createProgram({ receivers, photos, without, pause_ms: pauseMs, ...options }: ProgramOptions): Program {
  const { random } = options;
  const staff = createStaff(options);
  const operations: Record<OperationName, () => Promise<void>> = {
    ...peopleOperations(staff),
    ...documentOperations(staff, photos),
    ...tableOperations(staff),
    ...readOperations(staff),
    ...subscriptionOperations(staff, receivers),
  };
  const weighted = weights
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
  const step = async () => {
    const name = staff.people.length < minPeople ? 'create' : random.pick(weighted);
    await operations[name]();
  };
  return {
    step,
    async run(signal) {
      while (!signal.aborted) {
        await step();
        await sleep(pauseMs * 2 * random.next());
      }
    },
  };
}

/** Relative frequency of each operation. */
const weights = [
  ['create', 14],
  ['patch', 16],
  ['update', 8],
  ['read', 10],
  ['role', 4],
  ['activate', 4],
  ['deactivate', 3],
  ['delete', 5],
  ['restore', 4],
  ['bulk', 3],
  ['upload', 6],
  ['download', 6],
  ['deleteDocument', 2],
  ['photo', 2],
  ['invite', 4],
  ['import', 2],
  ['export', 2],
  ['listPage', 5],
  ['listCursor', 5],
  ['history', 3],
  ['subscribe', 1],
] as const satisfies [string, number][];

type OperationName = (typeof weights)[number][0];
