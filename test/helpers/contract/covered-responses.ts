/** Checks in the request log of a whole run that tests produced every success that the contract declares. */
import { readFile } from 'node:fs/promises';
import { contractOperations } from '../../../src/contract/contract.ts';

/** @returns the declared responses that no test produced, as `operationId status` */
export async function uncoveredResponses(logFile: string): Promise<string[]> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.includes('"operationId"'));
  const seen = new Set(
    lines.map((line) => JSON.parse(line)).map(({ operationId, status }) => `${operationId} ${status}`),
  );
  const declared = contractOperations.flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .filter((status) => status < '400')
      .map((status) => `${operation.operationId} ${status}`),
  );
  return declared.filter((response) => !seen.has(response));
}
