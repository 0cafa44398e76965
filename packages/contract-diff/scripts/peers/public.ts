// Compares tools on pairs of versions of public descriptions from npm: findings, time, and memory. SAMPLE=20 prints some findings
// per tool and pair, chosen with SEED, for review. An argument selects pairs by name.
import { statSync } from 'node:fs';
import { filesOf, publicPairs } from '../public-documents.ts';
import { sampled } from './sample.ts';
import { oasdiff, openapiChanges, own, type Run, redoclyDiff, type Tool } from './tools.ts';

const sample = Number(process.env.SAMPLE ?? 0);
const runs = Number(process.env.RUNS ?? 3);

const all = [own, await oasdiff(), await openapiChanges(), redoclyDiff];
const tools = all.filter((tool): tool is Tool => tool !== undefined);
if (tools.length < all.length) console.log('Go is not installed: oasdiff and openapi-changes were skipped.\n');

console.log('| document | tool | time | memory | findings | breaking |\n|---|---|---|---|---|---|');
const samples: string[] = [];
for (const pair of publicPairs.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
  const files = await filesOf(pair);
  if (!files) {
    console.log(`| ${pair.name} | not available: the registry does not respond | | | | |`);
    continue;
  }
  const sizeMb = (statSync(files[1]).size / 1e6).toFixed(1);
  const runsByTool = new Map<Tool, Run[]>(tools.map((tool) => [tool, []]));
  // Alternate, so that background load affects all tools.
  for (let turn = 0; turn < runs; turn++) {
    for (const tool of tools) {
      const run = await tool.compare(...files);
      if (run) runsByTool.get(tool)!.push(run);
    }
  }
  for (const [tool, toolRuns] of runsByTool) {
    const rowPrefix = `| ${pair.name} ${pair.versions.join(' → ')}, ${sizeMb} MB | ${tool.name}`;
    const [first] = toolRuns;
    if (!first) {
      console.log(`${rowPrefix} | failed | | | |`);
      continue;
    }
    const seconds = median(toolRuns.map((run) => run.seconds)).toFixed(2);
    const peak = Math.round(median(toolRuns.map((run) => run.peak_mb)));
    const reported = first.findings.filter(({ informational }) => !informational);
    const breaking = reported.filter((finding) => finding.breaking).length;
    console.log(`${rowPrefix} | ${seconds} s | ${peak} MB | ${reported.length} | ${breaking} |`);
    samples.push(
      ...sampled(reported, sample).map(
        (finding) => `${pair.name} | ${tool.name} | ${finding.breaking ? 'breaking' : 'not'} | ${finding.text}`,
      ),
    );
  }
}
if (sample > 0) console.log(`\n${samples.join('\n')}`);

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
