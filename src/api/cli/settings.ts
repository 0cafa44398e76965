/** `settings`: every setting of the service, with default, values, and description. */

import { type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import { settingsTable } from '../../platform/config/settings-table.ts';

const textWidth = 100;

export function list(options: OutputOptions): void {
  const data = settingsTable();
  const text = data.map(({ name, default: fallback, values, required, secret, description }) => {
    const facts = [
      fallback !== undefined && `default ${fallback}`,
      values,
      required && 'required in production',
      secret && `or ${name}_FILE`,
    ].filter(Boolean);
    const about = wrapLines(description).map((line) => `    ${line}`);
    return [facts.length > 0 ? `${name}  (${facts.join('; ')})` : name, ...about].join('\n');
  });
  print(options, { data }, text.join('\n'));
}

function wrapLines(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line && line.length + word.length >= textWidth) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
