// The tools to compare: findings between two documents, and cost of the whole process.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = join(import.meta.dirname, '../..');
const toolsFolder = join(packageFolder, '.data/tools');
const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const ownCommand = join(packageFolder, 'bin/openapi-contract-diff.js');
/** Pinned, because levels change between releases. */
const oasdiffModule = 'github.com/oasdiff/oasdiff@v1.30.0';

/** Common denominator of the tools: whether a change is breaking. */
export interface Finding {
  readonly breaking: boolean;
  readonly text: string;
  /** Informational; not counted. */
  readonly informational?: boolean;
  /** Named operations; empty if the tool names another part of the document, or nothing. */
  readonly operations: readonly string[];
  /** Names, pointers, and values that another tool's finding about the same change would contain. */
  readonly words: readonly string[];
}

export interface Run {
  readonly findings: readonly Finding[];
  readonly seconds: number;
  /** Peak memory in MB; 0 where unavailable. */
  readonly peak_mb: number;
}

export interface Tool {
  readonly name: string;
  /** @returns undefined when the comparison failed */
  compare(base: string, revised: string): Promise<Run | undefined>;
}

/** Larger reports are useless; kills the program. */
const maxReportBytes = 400_000_000;

interface ProcessResult {
  readonly stdout: string;
  readonly code: number | undefined;
  readonly seconds: number;
  readonly peak_mb: number;
}

/** Runs in another folder: Redocly would pick up this project's lint configuration. */
export function run(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = tmpdir(),
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    let peakMb = 0;
    const memoryPoll = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child.pid));
    }, 20);
    let sizeBytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      sizeBytes += part.length;
      if (sizeBytes <= maxReportBytes) parts.push(part);
      else child.kill('SIGKILL');
    });
    const finish = (code: number | undefined) => {
      clearInterval(memoryPoll);
      resolve({
        stdout: Buffer.concat(parts).toString(),
        code,
        seconds: (performance.now() - startedMs) / 1_000,
        peak_mb: peakMb,
      });
    };
    child.once('error', () => finish(undefined));
    child.once('close', (code) => finish(code ?? undefined));
  });
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000;
  } catch {
    return 0; // the process has ended, or this is not Linux
  }
}

interface OwnFinding {
  readonly level: string;
  readonly rule: string;
  readonly message: string;
  readonly operations: readonly string[];
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Our tool, as users run it. Minor and patch changes are not breaking. */
export const own: Tool = {
  name: 'openapi-contract-diff',
  async compare(base, revised) {
    const args = [ownCommand, base, revised, '--at-most', 'major', '--format', 'json'];
    return parseRun(await run(process.execPath, args), (stdout) => {
      const { findings, notes } = JSON.parse(stdout) as { findings: OwnFinding[]; notes: OwnFinding[] };
      return [...findings, ...notes].map(({ level, rule, message, operations, pointer, before, after }) => ({
        breaking: level === 'major',
        informational: level === 'none',
        text: `${level} ${rule}: ${message}`,
        operations: operations.map((one) => one.replace(/ \(.*$/, '')),
        words: [message, pointer, JSON.stringify(before), JSON.stringify(after)],
      }));
    });
  },
};

interface ChangeLocation {
  readonly pointer?: string;
}

/** It reports a list as a whole, while we report added and removed items. */
const listEnd = /\/(required|enum|properties|tags)$/;

export const redoclyDiff: Tool = {
  name: 'Redocly',
  async compare(base, revised) {
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [redocly, 'diff', base, revised, '--format', 'json', '--fail-on', 'none'];
    return parseRun(await run(process.execPath, args, env), (stdout) => {
      const { changes = [] } = JSON.parse(stdout) as {
        changes?: {
          impact?: string;
          bump?: string;
          message?: string;
          base?: ChangeLocation;
          revision?: ChangeLocation;
        }[];
      };
      return changes.map((one) => ({
        breaking: (one.impact ?? one.bump) === 'major',
        text: one.message ?? JSON.stringify(one),
        operations: [],
        words: [one.revision?.pointer, one.base?.pointer].flatMap((pointer) =>
          pointer === undefined ? [] : [pointer.replace(/^#/, '').replace(listEnd, '')],
        ),
      }));
    });
  },
};

/** Redocly reports the bump that all changes require together. */
export async function bumpByRedocly(base: string, revised: string): Promise<string> {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await run(
    process.execPath,
    [redocly, 'diff', base, revised, '--format', 'json', '--fail-on', 'none'],
    env,
  );
  try {
    return String((JSON.parse(stdout) as { bump?: string }).bump ?? 'none');
  } catch {
    return 'failed';
  }
}

/** oasdiff distinguishes breaking (errors) and non-breaking. The unchanged version applies to all cases. */
export async function oasdiff(): Promise<Tool | undefined> {
  const program = await goProgram('oasdiff', ['install', oasdiffModule]);
  return program === undefined
    ? undefined
    : {
        name: 'oasdiff',
        compare: async (base, revised) =>
          parseRun(await run(program, ['changelog', base, revised, '-f', 'json']), (stdout) => {
            const found = JSON.parse(stdout || '[]') as Record<'id' | 'text' | 'operation' | 'path', string>[];
            return found
              .filter(({ id }) => id !== 'api-version-not-bumped')
              .map(({ id, text, operation, path, ...more }) => ({
                breaking: Number((more as { level?: number }).level) >= 3,
                text: `${id}: ${text}`,
                operations: operation === undefined ? [] : [`${operation} ${path}`],
                words: wordsIn(text) ?? [path],
              }));
          }),
      };
}

/** Last parts of the code spans; undefined if there are none. */
function wordsIn(text: string): string[] | undefined {
  const words = [...text.matchAll(/`([^`]*)`/g)].flatMap(([, name]) => name!.split(/[/.]/).slice(-1));
  return words.length > 0 ? words : undefined;
}

/** The engine of pb33f's openapi-changes; its own program is distributed through another registry. */
export async function openapiChanges(): Promise<Tool | undefined> {
  const source = join(import.meta.dirname, 'pb33f');
  const program = await goProgram('pb33f', ['build', '-o', join(toolsFolder, 'pb33f'), '.'], source);
  return program === undefined
    ? undefined
    : {
        name: 'openapi-changes',
        compare: async (base, revised) =>
          parseRun(await requireSuccess(run(program, [base, revised])), (stdout) =>
            stdout
              .split('\n')
              .filter(Boolean)
              .map((line) => {
                const { breaking, property, from, to } = JSON.parse(line) as Record<string, string> & {
                  breaking: boolean;
                };
                const words = [from, to].flatMap((text) => (text === undefined ? [] : [text.slice(0, 60)]));
                return { breaking, text: `${property}: ${from} → ${to}`, operations: [], words };
              }),
          ),
      };
}

/** For tools that print nothing both without changes and on failure. */
async function requireSuccess(pending: Promise<ProcessResult>): Promise<ProcessResult> {
  const result = await pending;
  return result.code === 0 ? result : { ...result, code: undefined };
}

function parseRun(
  { stdout, code, seconds, peak_mb: peakMb }: ProcessResult,
  read: (stdout: string) => Finding[],
): Run | undefined {
  try {
    return code === undefined ? undefined : { findings: read(stdout), seconds, peak_mb: peakMb };
  } catch {
    return undefined;
  }
}

/** Uses an earlier build, or builds it with Go. @returns undefined without Go */
async function goProgram(name: string, build: string[], cwd = tmpdir()): Promise<string | undefined> {
  const program = join(toolsFolder, name);
  if (existsSync(program)) return program;
  await mkdir(toolsFolder, { recursive: true });
  return (await run('go', build, { GOBIN: toolsFolder }, cwd)).code === 0 ? program : undefined;
}
