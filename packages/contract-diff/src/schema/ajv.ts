// Loads Ajv and its formats lazily: most comparisons don't need them, and loading takes as long as comparing a small document.
import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import type addFormatsModule from 'ajv-formats';

/** CommonJS packages, which can be loaded synchronously. */
const require = createRequire(import.meta.url);

export function makeAjv(options: Options): Ajv2020 {
  const { Ajv2020: Validator } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof addFormatsModule;
  return addFormats(new Validator({ strict: false, logger: false, ...options }));
}
