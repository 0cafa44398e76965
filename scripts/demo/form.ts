/** Fetches a page with a form, fills it in, and submits it with its hidden fields, as a browser does. */

interface FormResult {
  title: string;
  nextTitle: string;
}

/**
 * @param values by field name; other fields keep their defaults
 * @throws the error message of the page
 */
export async function fillIn(address: string, values: Record<string, string>): Promise<FormResult> {
  const page = await fetch(address);
  const html = await page.text();
  const [, form = '', content = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html) ?? [];
  if (!page.ok || !form) throw new Error(`the page returned ${page.status}: ${titleOf(html)}`);
  const fields = new URLSearchParams();
  for (const [, input = ''] of content.matchAll(/<input\b([^>]*)>/g)) {
    const name = attribute(input, 'name');
    fields.set(name, values[name] ?? attribute(input, 'value'));
  }
  const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0]);
  const url = new URL(attribute(form, 'action'), address);
  const headers = { origin: url.origin, cookie: cookie.join('; ') };
  const response = await fetch(url, { method: 'POST', body: fields, headers });
  const next = await response.text();
  if (!response.ok) throw new Error(`the form returned ${response.status}: ${alertOf(next) ?? titleOf(next)}`);
  return { title: titleOf(html), nextTitle: titleOf(next) };
}

function titleOf(html: string): string {
  return text(/<h1\b[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '');
}

function alertOf(html: string): string | undefined {
  const alert = /role="alert">([^<]*)/.exec(html)?.[1];
  return alert && text(alert);
}

function attribute(tag: string, name: string): string {
  return text(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function text(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}
