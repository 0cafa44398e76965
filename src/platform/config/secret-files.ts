/** Secrets from files, as in Docker and Kubernetes: `ENCRYPTION_KEY_FILE=/run/secrets/key`. Process listings don't show files. */
import { readFileSync } from 'node:fs';

/** Replaces file names by contents, without trailing line breaks. @throws Error naming the setting */
export function withSecretFiles(
  environment: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string | undefined> {
  const filled = { ...environment };
  for (const name of names) {
    const file = environment[`${name}_FILE`];
    if (!file) continue;
    if (environment[name]) throw new Error(`${name} and ${name}_FILE are both set; set only one`);
    const text = contentOf(`${name}_FILE`, file).replace(/[\r\n]+$/, '');
    if (!text) throw new Error(`${name}_FILE: ${file} is empty`);
    filled[name] = text;
    delete filled[`${name}_FILE`];
  }
  return filled;
}

function contentOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
