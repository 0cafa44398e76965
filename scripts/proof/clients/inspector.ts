/** The command line of the MCP Inspector: lists the tools, and calls one. */
import { join } from 'node:path';
import { run } from '../sdk-check/client.ts';
import type { OAuthClient } from './client.ts';

const version = '2.12.0';
const program = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

export const inspector: OAuthClient = {
  name: 'inspector',
  generator: `MCP inspector ${version}`,
  needs: ['npm'],
  async install(tools) {
    await run('npm', ['init', '-y'], { cwd: tools });
    const packages = [`@modelcontextprotocol/inspector@${version}`];
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: tools });
  },
  async check({ base_url: baseUrl, token }, tools) {
    const callMethod = async (method: string, ...args: string[]) => {
      const common = ['--cli', `${baseUrl}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
      const command = [join(tools, program), ...common, '--method', method, ...args];
      return JSON.parse(await run(process.execPath, command, { cwd: tools, env: { HOME: tools } }));
    };
    const { tools: listed } = await callMethod('tools/list');
    const found = await callMethod('tools/call', '--tool-name', 'find_people', '--tool-arg', 'search=Mariana');
    if (found.isError || !JSON.stringify(found).includes('Mariana'))
      throw new Error(JSON.stringify(found).slice(0, 600));
    return [`${listed.length} tools`, 'found a person'];
  },
};
