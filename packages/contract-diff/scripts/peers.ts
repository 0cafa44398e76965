// Prints our verdicts on the test cases beside those of Redocly's `diff` and of oasdiff. An argument
// limits it to the cases whose names contain it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareContracts, type Level, strictest } from 'openapi-contract-diff';
import { cases } from '../test/cases/all.ts';
import type { Expected } from '../test/cases/case.ts';
import { documentsOf } from '../test/cases/mutate.ts';

const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const tools = join(import.meta.dirname, '../.data/tools');
/** Levels of its checks change between releases, so one is named. */
const oasdiffModule = 'github.com/oasdiff/oasdiff@v1.30.0';
const limit_bytes = 64 * 1024 * 1024;

interface Output {
  readonly stdout: string;
  /** Undefined when the program could not be started. */
  readonly code: number | undefined;
}

const run = (file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Output> =>
  new Promise((resolve) => {
    // Not here: Redocly would take the configuration of this project, which is about linting.
    execFile(
      file,
      args,
      { maxBuffer: limit_bytes, cwd: tmpdir(), env: { ...process.env, ...env } },
      (error, stdout) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
        resolve({ stdout, code });
      },
    );
  });

/** oasdiff is a Go program: it is there, or Go is there to build it, or there is none. */
async function findOasdiff(): Promise<string | undefined> {
  if ((await run('oasdiff', ['--version'])).code === 0) return 'oasdiff';
  const built = join(tools, 'oasdiff');
  if (existsSync(built)) return built;
  await mkdir(tools, { recursive: true });
  return (await run('go', ['install', oasdiffModule], { GOBIN: tools })).code === 0 ? built : undefined;
}

/** Redocly names the bump that all changes together need; it knows one version only. */
async function askRedocly(base: string, revised: string): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [redocly, 'diff', base, revised, '--format', 'json', '--fail-on', 'none'],
    {
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  );
  try {
    return String((JSON.parse(stdout) as { bump?: string }).bump ?? 'none');
  } catch {
    return 'failed';
  }
}

/** oasdiff knows breaking and not breaking: an error is a major change, everything else at most a minor one. */
async function askOasdiff(program: string, base: string, revised: string): Promise<string> {
  const { stdout } = await run(program, ['changelog', base, revised, '-f', 'json']);
  try {
    const found = JSON.parse(stdout || '[]') as { id: string; level: number }[];
    // That the version stayed the same is true of all cases.
    const changes = found.filter(({ id }) => id !== 'api-version-not-bumped');
    return changes.some(({ level }) => level >= 3) ? 'major' : changes.length > 0 ? 'minor' : 'none';
  } catch {
    return 'failed';
  }
}

/** The expected level when there is but one version. */
const asOne = (expected: Expected): Level => strictest([expected.interface, expected.webhook_payload]);

/** `undecided` is a change at least; a tool that reports any has not missed it. */
const agrees = (wanted: Level, said: string): boolean =>
  wanted === 'undecided' ? said !== 'none' && said !== 'failed' : wanted === said;

/** The same when only breaking and not breaking are told apart. */
const agreesOnBreaking = (wanted: Level, said: string): boolean =>
  said !== 'failed' && (wanted === 'undecided' ? said !== 'none' : (wanted === 'major') === (said === 'major'));

const oasdiff = await findOasdiff();
if (oasdiff === undefined) console.log('oasdiff is absent: it is neither installed nor could it be built with Go.\n');
const folder = await mkdtemp(join(tmpdir(), 'contract-peers-'));
const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')];
const scores = { ours: 0, redocly: 0, oasdiff: 0, all: 0 };
console.log('| change | expected (interface / payload) | ours | Redocly | oasdiff |\n|---|---|---|---|---|');
try {
  for (const one of cases.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
    const [base, revised] = documentsOf(one);
    await writeFile(first, JSON.stringify(base));
    await writeFile(second, JSON.stringify(revised));
    await row(one.name, one.expected, first, second);
    await row(`${one.name} (reverse)`, one.reverse, second, first);
  }
} finally {
  await rm(folder, { recursive: true });
}
const { all } = scores;
console.log(
  `\nAs expected, of ${all}: ours ${scores.ours}, Redocly ${scores.redocly}${oasdiff ? `, oasdiff ${scores.oasdiff}` : ''}.`,
);
console.log(
  'Redocly and oasdiff know one version, so the stricter of both is expected of them; oasdiff is only asked whether a change breaks.',
);

async function row(name: string, expected: Expected, base: string, revised: string): Promise<void> {
  const [result, byRedocly, byOasdiff] = await Promise.all([
    compareContracts(base, revised, { changes: join(folder, 'changes'), single: false }),
    askRedocly(base, revised),
    oasdiff === undefined ? undefined : askOasdiff(oasdiff, base, revised),
  ]);
  const own = result.verdicts.interface.required;
  const payload = result.verdicts.webhook_payload.required;
  const right = own === expected.interface && payload === expected.webhook_payload;
  const wanted = asOne(expected);
  scores.all++;
  if (right) scores.ours++;
  if (agrees(wanted, byRedocly)) scores.redocly++;
  if (byOasdiff !== undefined && agreesOnBreaking(wanted, byOasdiff)) scores.oasdiff++;
  const mark = (text: string, good: boolean) => (good ? text : `**${text}**`);
  console.log(
    `| ${name} | ${expected.interface} / ${expected.webhook_payload} | ${mark(`${own} / ${payload}`, right)} | ${mark(byRedocly, agrees(wanted, byRedocly))} | ${byOasdiff === undefined ? '–' : mark(byOasdiff, agreesOnBreaking(wanted, byOasdiff))} |`,
  );
}
