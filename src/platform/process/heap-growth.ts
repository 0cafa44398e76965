/**
 * Makes V8 collect garbage when the heap has grown by 20%, instead of up to four times its size.
 * - Saves memory of a worker above idle: 198 → 95 MB for an import of 30,000 people, 200 → 84 MB for an export.
 * - Costs more frequent collections: the same import takes 11 s instead of 10 s.
 * - To switch it off, remove its import in `src/main.ts`.
 * Set here rather than on the command line, so that it applies however the service is started (NODE_OPTIONS doesn't allow the
 * flag).
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--heap-growing-percent=20');
