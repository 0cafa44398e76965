import type { Readable } from 'node:stream';
import type { Viewer } from '../../../identity/members/member.ts';
import { writeCsv } from '../../../platform/sheets/csv/write-csv.ts';
import { writeJson } from '../../../platform/sheets/write-json.ts';
import { writeWorkbook } from '../../../platform/sheets/xlsx/write-xlsx.ts';
import { csvDelimiter } from '../../collaborators/csv-delimiter.ts';
import { ordered, sortKeys } from '../../collaborators/list/list-order.ts';
import { collaboratorResponse, partialResponse } from '../../collaborators/responses/collaborator-response.ts';
import type { Field } from '../../collaborators/responses/requested-fields.ts';
import { fieldOrders } from '../../custom-fields/listed-fields.ts';
import type { Content, ContentInput } from './content-input.ts';
import { type ExportForm, type ExportFormat, type ExportRequest, listTitle } from './export-request.ts';
import { peopleTable } from './export-table.ts';
import { countPeople, matchingPeople, type Person, peoplePerGroup } from './exported-people.ts';

export async function listContent(
  { format, query: { filters, sort, fields, ...form } }: Extract<ExportRequest, { kind: 'list' }>,
  { snapshot, viewer, wrote }: ContentInput,
): Promise<Content> {
  const rowsTotal = await countPeople(snapshot, viewer.member, filters);
  const query = ordered(matchingPeople(snapshot, viewer.member, filters), sortKeys(sort, fieldOrders(sort, viewer)));
  // A search uses its own index first.
  const walksOrder = filters.search === undefined;
  const people = counted(snapshot.groups(query, peoplePerGroup, walksOrder), wrote);
  return {
    rows_total: rowsTotal,
    content: written(format, people, viewer, { ...form, ...(fields && { fields: new Set(fields) }) }),
  };
}

function written(
  format: ExportFormat,
  people: AsyncIterable<Person[]>,
  viewer: Viewer,
  { language = 'en', delimiter, fields }: ExportForm & { fields?: ReadonlySet<Field> },
): Readable {
  if (format === 'json') {
    const viewOf = (person: Person) =>
      fields ? partialResponse(person, fields, viewer) : collaboratorResponse(person, viewer);
    return writeJson(mapped(people, viewOf));
  }
  const { columns, cells } = peopleTable(viewer, language, fields);
  const groups = mapped(people, cells);
  if (format === 'csv') return writeCsv({ columns, groups }, csvDelimiter(language, delimiter));
  const title = listTitle.translate(language);
  return writeWorkbook([{ name: title, columns, groups }], { title });
}

export async function* counted(
  groups: AsyncIterable<Person[]>,
  wrote: ContentInput['wrote'],
): AsyncGenerator<Person[]> {
  for await (const group of groups) {
    yield group;
    wrote(group.length);
  }
}

export async function* mapped<T, U>(groups: AsyncIterable<T[]>, map: (item: T) => U): AsyncGenerator<U[]> {
  for await (const group of groups) yield group.map(map);
}
