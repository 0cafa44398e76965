/** The request of an operation in five languages, with the contract's examples. `assets/page.js` shows one of them. */
import { type Operation, resolve } from '../../../contract/contract.ts';
import { codeBlock } from '../highlight.ts';
import { type Body, exampleOf, type Parameter } from './examples.ts';

interface SampleRequest {
  method: string;
  url: string;
  needsToken: boolean;
  /** Required ones, without the token and the company. */
  headers: [name: string, value: string][];
  needsCompany: boolean;
  /** Undefined without a body. */
  json: unknown;
  /** A file can be sent as it is. */
  acceptsFile: boolean;
}

export function samplesOf(baseUrl: string, method: string, path: string, operation: Operation): string {
  const sample = requestOf(baseUrl, method, path, operation);
  const blocks = [
    codeBlock(shellSample(sample), 'sh'),
    codeBlock(typescriptSample(sample), 'ts'),
    codeBlock(pythonSample(sample), 'python'),
    codeBlock(phpSample(sample), 'php'),
    codeBlock(goSample(sample), 'go'),
  ];
  // `assets/request.js` fills in the reader's company.
  const placeholders = /\$COMPANY_ID|YOUR_COMPANY_ID/g;
  return blocks
    .map((block) => block.replace(placeholders, (placeholder) => `<span data-company>${placeholder}</span>`))
    .join('');
}

const companyVariable = '$COMPANY_ID';
const companyPlaceholder = 'YOUR_COMPANY_ID';

function requestOf(baseUrl: string, method: string, path: string, operation: Operation): SampleRequest {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const required = parameters.filter((parameter) => parameter.required);
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    exampleOf(parameters.find((each) => each.name === name)),
  );
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const headers = required.filter((parameter) => parameter.in === 'header');
  const content = contentOf(operation);
  const [first] = Object.values(content['application/json']?.examples ?? {});
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${filledPath}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    needsToken: operation.security.length > 0,
    headers: headers.filter(({ name }) => name !== 'X-Company-Id').map((each) => [each.name, exampleOf(each)]),
    needsCompany: headers.some(({ name }) => name === 'X-Company-Id'),
    json: first && resolve(first).value,
    acceptsFile: 'multipart/form-data' in content,
  };
}

export function contentOf({ requestBody }: Operation): Record<string, Body> {
  return requestBody ? (resolve(requestBody) as { content: Record<string, Body> }).content : {};
}

function shellSample({ method, url, needsToken, headers, needsCompany, json, acceptsFile }: SampleRequest): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "${url}"`];
  if (needsToken) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (needsCompany) lines.push(`-H "X-Company-Id: ${companyVariable}"`);
  for (const [name, value] of headers) lines.push(`-H "${name}: ${value}"`);
  if (acceptsFile) lines.push('-F "file=@photo.jpg"');
  else if (json !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${pretty(json).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

function typescriptSample({ method, url, needsToken, headers, needsCompany, json }: SampleRequest): string {
  const lines = [
    ...(needsToken ? [`Authorization: \`Bearer \${process.env.TOKEN}\`,`] : []),
    ...(needsCompany ? [`'X-Company-Id': '${companyPlaceholder}',`] : []),
    ...headers.map(([name, value]) => `'${name}': '${value}',`),
    ...(json === undefined ? [] : [`'Content-Type': 'application/json',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(lines.length > 0 ? ['headers: {', ...lines.map((line) => `  ${line}`), '},'] : []),
    ...(json === undefined ? [] : `body: JSON.stringify(${pretty(json)}),`.split('\n')),
  ];
  return [
    options.length > 0 ? `const response = await fetch('${url}', {` : `const response = await fetch('${url}');`,
    ...(options.length > 0 ? [...options.map((line) => `  ${line}`), '});'] : []),
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function pythonSample({ method, url, needsToken, headers, needsCompany, json }: SampleRequest): string {
  const lines = [
    ...(needsToken ? [`"Authorization": f"Bearer {os.environ['TOKEN']}",`] : []),
    ...(needsCompany ? [`"X-Company-Id": "${companyPlaceholder}",`] : []),
    ...headers.map(([name, value]) => `"${name}": "${value}",`),
  ];
  // JSON strings are Python strings too.
  const literal = pretty(json).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => ({ true: 'True', false: 'False', null: 'None' })[token] ?? token,
  );
  const callArguments = [
    `"${url}",`,
    ...(lines.length > 0 ? ['headers={', ...lines.map((line) => `    ${line}`), '},'] : []),
    ...(json === undefined ? [] : `json=${literal},`.split('\n')),
  ];
  return [
    ...(needsToken ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...callArguments.map((line) => `    ${line}`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

function phpSample({ method, url, needsToken, headers, needsCompany, json }: SampleRequest): string {
  const lines = [
    ...(needsToken ? [`'Authorization: Bearer ' . getenv('TOKEN'),`] : []),
    ...(needsCompany ? [`'X-Company-Id: ${companyPlaceholder}',`] : []),
    ...headers.map(([name, value]) => `'${name}: ${value}',`),
    ...(json === undefined ? [] : [`'Content-Type: application/json',`]),
  ];
  return [
    '<?php',
    `$curl = curl_init('${url}');`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(lines.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...lines.map((line) => `        ${line}`), '    ],'] : []),
    ...(json === undefined ? [] : [`    CURLOPT_POSTFIELDS => <<<'JSON'`, pretty(json), 'JSON,']),
    ']);',
    '$body = curl_exec($curl);',
    `echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $body, PHP_EOL;`,
  ].join('\n');
}

function goSample({ method, url, needsToken, headers, needsCompany, json }: SampleRequest): string {
  const headerArguments = [
    ...(needsToken ? ['"Authorization", "Bearer "+os.Getenv("TOKEN")'] : []),
    ...(needsCompany ? [`"X-Company-Id", "${companyPlaceholder}"`] : []),
    ...headers.map(([name, value]) => `"${name}", "${value}"`),
    ...(json === undefined ? [] : ['"Content-Type", "application/json"']),
  ];
  const packages = ['fmt', 'io', 'net/http', ...(needsToken ? ['os'] : []), ...(json === undefined ? [] : ['strings'])];
  const body = json === undefined ? 'nil' : `strings.NewReader(\`${pretty(json).replaceAll('`', '` + "`" + `')}\`)`;
  const check = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", "${url}", ${body})`,
    ...check,
    ...headerArguments.map((each) => `\trequest.Header.Set(${each})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...check,
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    ...check,
    '\tfmt.Println(response.StatusCode, string(text))',
    '}',
  ].join('\n');
}

function pretty(json: unknown): string {
  return JSON.stringify(json, null, 2) ?? '';
}
