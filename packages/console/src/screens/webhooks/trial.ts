/** Lines that run the verification sample on a real request. They pass its timestamp, which is no longer recent. */

export type Code = 'typescript' | 'python' | 'php' | 'go' | 'shell';

interface Sent {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  secret: string;
}

export function trial(language: Code, sent: Sent): string {
  return trials[language](sent);
}

const quoted = (text: string) => JSON.stringify(text);
/** Quoting for PHP and shell: single quotes, where only the quote and PHP's backslash are special. */
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
