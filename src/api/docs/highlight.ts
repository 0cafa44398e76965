/** Syntax highlighting: HTML with the class names of highlight.js, which `assets/style.css` styles. */
import { createRequire } from 'node:module';

const languages: Record<string, { module: string; label: string }> = {
  sh: { module: 'bash', label: 'Shell' },
  go: { module: 'go', label: 'Go' },
  http: { module: 'http', label: 'HTTP' },
  json: { module: 'json', label: 'JSON' },
  php: { module: 'php', label: 'PHP' },
  python: { module: 'python', label: 'Python' },
  ts: { module: 'typescript', label: 'TypeScript' },
  yaml: { module: 'yaml', label: 'YAML' },
};

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string }): { value: string };
}

// Not imported, because its types add the browser's globals to the whole project.
const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;
for (const [name, { module }] of Object.entries(languages)) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${module}`));
}

/** @param language as in the fence; unknown ones render as plain text */
export function codeBlock(code: string, language: string): string {
  const known = languages[language];
  const html = known ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  const label = known?.label ?? 'Text';
  return `<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>\n`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
