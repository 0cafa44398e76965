// Renders a request as a curl command, to repeat it manually.
import { type Sent, sendable } from './send.ts';

const maxBody = 2_000;

/** The token is `$TOKEN` in the command. */
export function curl(baseUrl: string, { method, path, headers, body }: Sent): string {
  const words = ['curl', '-i', '--path-as-is', '-X', method, quoted(baseUrl + sendable(path))];
  for (const [name, value] of headers) {
    const displayedValue = name === 'Authorization' && value.length > 200 ? 'Bearer $TOKEN' : value;
    words.push(
      '-H',
      displayedValue.includes('$TOKEN')
        ? `"${name}: ${displayedValue}"`
        : quoted(value === '' ? `${name};` : `${name}: ${value}`),
    );
  }
  if (body) words.push('--data-binary', `@<(printf ${quoted(printable(body))})`);
  return words.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes for `printf`. */
function printable(body: Buffer): string {
  const text = [...body.subarray(0, maxBody)]
    .map((byte) => {
      if (byte === 0x25) return '%%';
      if (byte === 0x5c) return '\\\\';
      return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
  return body.length > maxBody ? `${text}…(${body.length} bytes)` : text;
}
