/**
 * Lines that try the code with a request that was really sent, and print whether it is genuine. Its time is given, because it is not
 * fresh any more.
 */

export type Code = 'typescript' | 'python' | 'php' | 'go' | 'shell';

/** A request as it was sent. */
interface Sent {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  secret: string;
}

/** Lines that print whether the request is genuine. */
export function trial(language: Code, sent: Sent): string {
  return trials[language](sent);
}

const quoted = (text: string) => JSON.stringify(text);
/** For PHP and a shell: nothing but the quote and, in PHP, the backslash means something in it. */
const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const trials: Record<Code, (sent: Sent) => string> = {
  typescript: ({ id, timestamp, signature, body, secret }) => `import { verify } from './verify.ts';

const headers = {
  'webhook-id': ${quoted(id)},
  'webhook-timestamp': ${quoted(timestamp)},
  'webhook-signature': ${quoted(signature)},
};
const body = Buffer.from(${quoted(body)});
console.log(verify(${quoted(secret)}, headers, body, ${timestamp}));
`,
  python: ({ id, timestamp, signature, body, secret }) => `import json
from verify import verify

headers = {
    "webhook-id": ${quoted(id)},
    "webhook-timestamp": ${quoted(timestamp)},
    "webhook-signature": ${quoted(signature)},
}
body = json.loads(${quoted(quoted(body))}).encode()
print(verify(${quoted(secret)}, headers, body, ${timestamp}))
`,
  php: ({ id, timestamp, signature, body, secret }) => `<?php
require 'verify.php';

$headers = [
    'webhook-id' => ${single(id)},
    'webhook-timestamp' => ${single(timestamp)},
    'webhook-signature' => ${single(signature)},
];
$body = ${single(body)};
var_dump(verify(${single(secret)}, $headers, $body, ${timestamp}));
`,
  go: ({ id, timestamp, signature, body, secret }) => `headers := http.Header{}
headers.Set("webhook-id", ${quoted(id)})
headers.Set("webhook-timestamp", ${quoted(timestamp)})
headers.Set("webhook-signature", ${quoted(signature)})
body := []byte(${quoted(body)})
fmt.Println(Verify(${quoted(secret)}, headers, body, time.Unix(${timestamp}, 0)))
`,
  shell: ({ id, timestamp, signature, body, secret }) => `export WEBHOOK_SECRET=${shellWord(secret)}
printf %s ${shellWord(body)} > body.json
NOW=${timestamp} ./verify.sh verify ${shellWord(id)} ${timestamp} ${shellWord(signature)} body.json
`,
};
