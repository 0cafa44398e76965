/**
 * Postgres' own parser, compiled to WebAssembly. Each text is parsed once, so V8's optimization, which takes half a second of CPU
 * and 600 MB of memory at every start, is off. The flags apply to code loaded while they are set.
 */
import { setFlagsFromString } from 'node:v8';

const optimizing = ['wasm-tier-up', 'wasm-dynamic-tiering'];

for (const flag of optimizing) setFlagsFromString(`--no-${flag}`);
const { loadModule, parseSync } = await import('libpg-query');
await loadModule();
parseSync('select 1'); // compiles functions that are compiled lazily
for (const flag of optimizing) setFlagsFromString(`--${flag}`);

export { parseSync };
