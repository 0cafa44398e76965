// Renders docs/operations/settings.md: the table of all settings, from src/platform/config/settings.ts.
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

Environment variables, read once at the start by \`src/platform/config/config.ts\`; a value that can not be used ends the start with one
line that names it. An empty value counts as none. \`npm run cli -- settings\` prints this table.

A secret may come from a file, as Docker and Kubernetes hand them over: \`ENCRYPTION_KEY_FILE=/run/secrets/encryption_key\`
in place of \`ENCRYPTION_KEY\`. See [secrets.md](secrets.md).

| Name | Default | Values | Meaning |
|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
