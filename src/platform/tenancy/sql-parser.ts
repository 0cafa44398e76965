/**
 * Postgres' own parser, compiled to WebAssembly.
 *
 * Each text of a statement is parsed once, so the parser is not worth optimising: for one of its functions V8 would take
 * half a second of a core and 600 MB of memory, at every start of every process. The flags hold for what is loaded while
 * they are set.
 */
import { setFlagsFromString } from 'node:v8';

const optimising = ['wasm-tier-up', 'wasm-dynamic-tiering'];

for (const flag of optimising) setFlagsFromString(`--no-${flag}`);
const { loadModule, parseSync } = await import('libpg-query');
await loadModule();
parseSync('select 1'); // what is compiled at the first use is compiled now
for (const flag of optimising) setFlagsFromString(`--${flag}`);

export { parseSync };
