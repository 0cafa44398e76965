// Lists findings of other tools in public descriptions that ours seems to miss, for manual review: OTHERS=20 per tool and pair,
// chosen with SEED. An argument selects pairs by name.
import { filesOf, publicPairs } from '../public-documents.ts';
import { sampled } from './sample.ts';
import { type Finding, oasdiff, openapiChanges, own, redoclyDiff } from './tools.ts';

const count = Number(process.env.OTHERS ?? 20);
/** Shorter words are too common. */
const minWordLength = 3;

for (const pair of publicPairs.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
  const files = await filesOf(pair);
  const ownFindings = files && (await own.compare(...files))?.findings;
  if (!ownFindings) continue;
  for (const tool of [await oasdiff(), await openapiChanges(), redoclyDiff]) {
    const findings = (await tool?.compare(...files))?.findings ?? [];
    const unmatched = findings.filter((finding) => !ownFindings.some((one) => mayMatch(one, finding)));
    console.log(
      `\n## ${pair.name}, ${tool?.name}: ${findings.length}, of which ours has perhaps not ${unmatched.length}\n`,
    );
    for (const { breaking, operations, text } of sampled(unmatched, count))
      console.log(`- ${breaking ? 'breaking' : 'not'} | ${operations.join(', ')} | ${text.slice(0, 400)}`);
  }
}

/** Whether our finding may match: it has the same operation, or none, and a word of the other. */
function mayMatch(one: Finding, other: Finding): boolean {
  if (other.operations.length > 0 && one.operations.length > 0)
    if (!other.operations.some((operation) => one.operations.includes(operation))) return false;
  return other.words.some((word) => word.length >= minWordLength && one.words.some((text) => text?.includes(word)));
}
