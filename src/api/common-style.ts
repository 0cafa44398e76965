import { readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** The shared base styles of all pages. The console, which is built separately, imports the same files. */
export const commonStyle = read('palette.css') + read('base.css');
