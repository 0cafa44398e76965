/** The command line package doesn't depend on the service, so this compares its constants and types with the contract. */
import type { Command } from 'commander';
import type { components } from '../../../generated/api.ts';
import type { Account } from '../../../packages/cli/src/account/companies.ts';
import { ownClientId } from '../../../packages/cli/src/account/login.ts';
import { createProgram } from '../../../packages/cli/src/program.ts';
import type * as answers from '../../../packages/cli/src/service/responses.ts';
import { maxFileBytes } from '../../../packages/cli/src/sheets/import.ts';
import { contract } from '../../../src/contract/contract.ts';
import { commandLineClientId } from '../../../src/identity/clients/command-line-client.ts';

type Schemas = components['schemas'];

/** Fails to compile if a contract response doesn't fit the type that the package reads. */
type Read<Mine, Contract extends Mine> = [Mine, Contract];
type ReadByThePackage = [
  Read<answers.ImportJob, Schemas['ImportJob']>,
  Read<answers.ImportUndo, Schemas['ImportUndo']>,
  Read<answers.CursorPage<answers.ImportError>, Schemas['ImportErrorPage']>,
  Read<answers.ExportJob, Schemas['ExportJob']>,
  Read<answers.ImportTemplate, Schemas['ImportTemplate']>,
  Read<answers.StoredDocument, Schemas['Document']>,
  Read<answers.CursorPage<answers.AuditEntry>, Schemas['AuditPage']>,
  Read<answers.CursorPage<answers.CompanyEvent>, Schemas['EventPage']>,
  Read<{ data: answers.EventType[] }, Schemas['EventTypeList']>,
  Read<answers.CursorPage<answers.CustomField>, Schemas['CustomFieldPage']>,
  Read<Account, Schemas['AuthUser']>,
];

const { schemas } = contract.components;
const context = { environment: {}, program: 'collaborators', folder: '/', defaultAddress: () => Promise.reject() };
const commands = new Map(createProgram(context, '1.0.0').commands.map((command) => [command.name(), command]));

function choices(command: Command, option: string): string[] {
  return command.options.find(({ long }) => long === option)!.argChoices!;
}

test.each([
  ['import', '--mode', 'ImportMode'],
  ['import', '--match-by', 'ImportMatchBy'],
  ['import', '--on-error', 'ImportOnError'],
  ['import', '--empty-cells', 'ImportEmptyCells'],
  ['export', '--format', 'ExportFormat'],
  ['export', '--group-by', 'ExportGroupBy'],
])('%s %s offers the values of the contract', (command, option, schema) => {
  expect(choices(commands.get(command)!, option)).toEqual(schemas[schema]!.enum);
});

test('fields have the types and roles of the contract', () => {
  const create = commands.get('fields')!.commands.find((command) => command.name() === 'create')!;
  expect(choices(create, '--type')).toEqual(schemas.CustomFieldType!.enum);
  for (const role of ['--read', '--write']) expect(choices(create, role)).toEqual(schemas.CustomFieldRole!.enum);
});

test('response types match the contract', () => {
  const compared: ReadByThePackage[] = []; // by the compiler
  expect(compared).toEqual([]);
});

test('the size limit and the built-in client match the contract', () => {
  expect(maxFileBytes).toBe(schemas.ImportJob!.properties!.size!.maximum);
  expect(ownClientId).toBe(commandLineClientId);
});
