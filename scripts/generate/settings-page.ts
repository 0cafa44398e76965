// Renders docs/operations/settings.md from src/platform/config/settings.ts.
import { settingsTable } from '../../src/platform/config/settings-table.ts';

/** @returns the page as Markdown */
export function renderSettingsPage(): string {
  const rows = settingsTable().map(({ name, default: fallback, values, required, secret, description }) => {
    const notes = [required && '**Required in production.**', secret && `A secret: or \`${name}_FILE\`.`].filter(
      Boolean,
    );
    const about = [`${description.replace(/\.$/, '')}.`, ...notes].join(' ');
    return [`\`${name}\``, fallback === undefined ? '' : `\`${fallback}\``, values, about].map(cell).join(' | ');
  });
  return `<!-- Written by \`make generate\` from src/platform/config/settings.ts. Do not edit. -->
# Settings

Environment variables, read once at the start by \`src/platform/config/config.ts\`. With an invalid value the process does not start and
prints one line that names the setting. An empty value is the same as none. For a name that looks like a misspelled setting, it logs a
warning. \`npm run cli -- settings\` prints this table.

A secret may be read from a file, as Docker and Kubernetes mount them: \`ENCRYPTION_KEY_FILE=/run/secrets/encryption_key\`
instead of \`ENCRYPTION_KEY\`. See [secrets.md](secrets.md).

| Name | Default | Values | Meaning |
|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
