/** MCP over stdio, with the official client, which starts the command as an assistant does. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
  await here.database.query(`update companies set policy = policy || '{"assistants": "write"}' where id = $1`, [
    here.company_id,
  ]);
});
afterAll(() => here.close());

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

async function connected(...options: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', '--base-url', here.service.base_url, ...options],
    env: here.env,
    cwd: here.folder,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as never);
  const { tools } = await client.listTools();
  const call = async (name: string, sent: Record<string, unknown> = {}) => client.callTool({ name, arguments: sent });
  return { client, names: tools.map(({ name }) => name), call };
}

const person = { name: 'Clara Sousa', email: 'clara@verde.example', position: 'Planner', department: 'Fleet' };

test('an assistant on this machine acts as the signed-in user', async () => {
  const { client, names, call } = await connected();
  expect(names).toContain('create_person');
  expect((await call('create_person', person)).isError).toBeFalsy();
  const found = await call('find_people', { search: 'clara' });
  expect(found.structuredContent).toMatchObject({ data: { data: [{ email: person.email }] } });
  await client.close();
});

test('--read-only hides tools that change anything, and rejects them', async () => {
  const { client, names, call } = await connected('--read-only');
  expect(names).toContain('find_people');
  expect(names).not.toContain('create_person');
  await expect(call('create_person', { ...person, email: 'other@verde.example' })).rejects.toThrow('read-only');
  await client.close();
});

test('lines that aren’t one message get an error of JSON-RPC, and the next message its response', async () => {
  const command = spawn(process.execPath, [cli, 'mcp', '--base-url', here.service.base_url], {
    env: here.env,
    cwd: here.folder,
  });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  command.stdin.end(['{"jsonrpc":', JSON.stringify([ping]), 'null', JSON.stringify(ping)].join('\n'));
  const replies = (await text(command.stdout)).trim().split('\n');
  const errors = [-32_700, -32_600, -32_600].map((code) => ({ id: null, error: expect.objectContaining({ code }) }));
  expect(replies.map((reply) => JSON.parse(reply))).toEqual([
    ...errors.map((error) => ({ jsonrpc: '2.0', ...error })),
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
});
