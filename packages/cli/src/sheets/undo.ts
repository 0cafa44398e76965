/** `import --undo`: previews which people an undo deletes and which it keeps, then performs it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import type { ImportUndo } from '../service/responses.ts';
import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { type OutputOptions, print, table } from '../terminal/output.ts';
import { promptConfirmation } from '../terminal/prompt.ts';

export interface UndoOptions extends ApiOptions, OutputOptions {
  /** Import id. */
  undo?: string;
  dryRun?: boolean;
}

const pollIntervalMs = 500;

const reasons: Readonly<Record<string, string>> = {
  changed: 'changed since the import',
  has_reports: 'manages someone who remains',
  already_deleted: 'deleted before',
  forbidden: 'you may no longer import',
};

/** @throws CliError when the import can't be undone */
export async function undoImport(context: CliContext, file: string | undefined, options: UndoOptions): Promise<void> {
  if (file !== undefined) throw new CliError('pass either a file, or an import with --undo', 2);
  const api = await openApi(context, options);
  const path = `/v1/imports/${encodeURIComponent(options.undo!)}/undo`;
  const preview = await read(api, path);
  if (options.dryRun) return print(options, preview, textOf(preview));
  if (!options.json && preview.status === 'available' && process.stdin.isTTY && process.stderr.isTTY) {
    const question = `${textOf(preview)}\nDelete these people now? [y/N] `;
    if (!(await promptConfirmation(question, process.stdin, process.stderr))) throw new CliError('nothing was undone');
  }
  const report = await interruptible(async (signal) => {
    let { body: now } = await api.request<ImportUndo>('POST', path);
    while (now.status === 'running') {
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      now = await read(api, path);
    }
    return now;
  });
  print(options, report, textOf(report));
}

async function read(api: Api, path: string): Promise<ImportUndo> {
  return (await api.request<ImportUndo>('GET', path)).body;
}

function textOf({ status, removed_count: removed, kept, people }: ImportUndo): string {
  const lines = [summary(status, removed)];
  if (kept.length > 0) {
    const counts = kept.map(({ reason, count }) => [String(count), reasons[reason] ?? reason]);
    lines.push('', table(['STAY', 'WHY'], counts, ''));
  }
  if (people.length > 0) {
    const names = people.map(({ id, name, reason }) => [name, reasons[reason] ?? reason, id]);
    lines.push('', table(['NAME', 'WHY', 'ID'], names, ''));
  }
  return lines.join('\n');
}

function summary(status: string, removed: number): string {
  const people = removed === 1 ? '1 person' : `${removed} people`;
  if (status === 'completed') return `${people} deleted. They can be restored for 30 days.`;
  if (status === 'available') return `It would delete ${people}.`;
  if (status === 'expired') return 'It ended more than 24 hours ago, so it can no longer be undone.';
  return 'It is still running, was a dry run, or added no one, so there is nothing to undo.';
}
