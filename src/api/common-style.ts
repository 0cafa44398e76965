import { readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** What the style of all pages begins with. The console, which is built apart, imports the same files. */
export const commonStyle = read('palette.css') + read('base.css');
