/** Startup cost of the SQL parser, in its own process. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const parser = new URL('../../../src/platform/tenancy/sql-parser.ts', import.meta.url).href;

test('isn’t optimized by V8, which would briefly take 600 MB', async () => {
  // Parses enough for V8 to consider it, and waits for that.
  const script = `
    const { parseSync } = await import(${JSON.stringify(parser)});
    for (let i = 0; i < 300; i++) parseSync('insert into a (b, c) select * from (select 1) x where y = any($1)');
    await new Promise((done) => setTimeout(done, 2000));
    const { existsSync, readFileSync } = await import('node:fs');
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    // Linux counts in maxRSS what the process that started this one had.
    const most_kb = /VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
    console.log(most_kb / 1024);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(200);
});
