// Compares our verdicts on the test cases with those of other tools. An argument selects cases by name.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContracts, type Level, strictest } from '@collaborator-api/openapi-contract-diff';
import { cases } from '../../test/cases/all.ts';
import { day, type Expected } from '../../test/cases/case.ts';
import { documentsOf } from '../../test/cases/mutate.ts';
import { bumpByRedocly, oasdiff, openapiChanges, type Tool } from './tools.ts';

/** The expected level with a single version. */
const combinedLevel = (expected: Expected): Level => strictest([expected.interface, expected.webhook_payload]);

/** `undecided` counts as a change: a tool that reports any change agrees. */
const agrees = (expectedLevel: Level, actualLevel: string): boolean =>
  expectedLevel === 'undecided' ? actualLevel !== 'none' && actualLevel !== 'failed' : expectedLevel === actualLevel;

/** Agreement on breaking or not breaking only. */
const agreesOnBreaking = (expectedLevel: Level, actualLevel: string): boolean =>
  actualLevel !== 'failed' &&
  (expectedLevel === 'undecided' ? actualLevel !== 'none' : (expectedLevel === 'major') === (actualLevel === 'major'));

/** An error is major, anything else at most minor. */
async function verdictOf(tool: Tool | undefined, base: string, revised: string): Promise<string | undefined> {
  if (!tool) return undefined;
  const run = await tool.compare(base, revised);
  if (!run) return 'failed';
  return run.findings.some(({ breaking }) => breaking) ? 'major' : run.findings.length > 0 ? 'minor' : 'none';
}

const goTools = [await oasdiff(), await openapiChanges()] as const;
if (goTools.includes(undefined)) console.log('Go is not installed: oasdiff and openapi-changes were skipped.\n');
const folder = await mkdtemp(join(tmpdir(), 'contract-peers-'));
const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')];
const scores = { own: 0, redocly: 0, oasdiff: 0, changes: 0, all: 0 };
console.log(
  '| change | expected (interface / payload) | ours | Redocly | oasdiff | openapi-changes |\n|---|---|---|---|---|---|',
);
try {
  // Skip cases with a custom policy, which other tools don't support.
  const selectedCases = cases.filter(
    ({ name, policy }) => policy === undefined && name.includes(process.argv[2] ?? ''),
  );
  for (const one of selectedCases) {
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
  `\nAs expected, of ${all}: ours ${scores.own}, Redocly ${scores.redocly}, oasdiff ${scores.oasdiff}, openapi-changes ${scores.changes}.`,
);
console.log(
  'The others know one version, so the stricter of both is expected of them; oasdiff and openapi-changes are only asked whether a change breaks.',
);

async function row(name: string, expected: Expected, base: string, revised: string): Promise<void> {
  const [result, byRedocly, byOasdiff, byChanges] = await Promise.all([
    compareContracts(base, revised, { changes: join(folder, 'changes'), singleVersion: false, today: day }),
    bumpByRedocly(base, revised),
    verdictOf(goTools[0], base, revised),
    verdictOf(goTools[1], base, revised),
  ]);
  const actualLevel = result.verdicts.interface.required;
  const payload = result.verdicts.webhook_payload.required;
  const isCorrect = actualLevel === expected.interface && payload === expected.webhook_payload;
  const expectedLevel = combinedLevel(expected);
  const redocly = agrees(expectedLevel, byRedocly);
  scores.all++;
  if (isCorrect) scores.own++;
  if (redocly) scores.redocly++;
  if (byOasdiff !== undefined && agreesOnBreaking(expectedLevel, byOasdiff)) scores.oasdiff++;
  if (byChanges !== undefined && agreesOnBreaking(expectedLevel, byChanges)) scores.changes++;
  const mark = (text: string, good: boolean) => (good ? text : `**${text}**`);
  const formatOther = (text: string | undefined) =>
    text === undefined ? '–' : mark(text, agreesOnBreaking(expectedLevel, text));
  console.log(
    `| ${name} | ${expected.interface} / ${expected.webhook_payload} | ${mark(`${actualLevel} / ${payload}`, isCorrect)} | ${mark(byRedocly, redocly)} | ${formatOther(byOasdiff)} | ${formatOther(byChanges)} |`,
  );
}
