/** Preview of the first people in a file. */
import type { Import } from '../../../api/imports.ts';
import { HiddenField } from '../../../parts/hidden.tsx';
import { t } from '../../../parts/translate.ts';
import { fieldName } from './field-name.ts';

/** Columns that all people have come first, then the others in file order. */
const leadingFields = ['name', 'email', 'position', 'department'];

export function Preview({
  company,
  job: { preview, columns, restricted_fields: restricted = [] },
}: {
  company: string;
  job: Import;
}) {
  if (preview.length === 0) return null;
  const presentFields = new Set(preview.flatMap(({ values }) => Object.keys(values)));
  const ordered = [...leadingFields, ...columns.flatMap(({ field }) => field ?? []), ...presentFields];
  const fields = [...new Set(ordered)].filter((field) => presentFields.has(field));
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">{t`First rows, as they were read`}</h2>
      {restricted.includes('preview.salary') && <HiddenField company={company} field="salary" fallback={null} />}
      <div className="table">
        <table aria-labelledby="preview">
          <thead>
            <tr>
              <th scope="col">{t`Row`}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {fieldName(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map(({ row, values }) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {fields.map((field) => (
                  <td key={field} data-name={fieldName(field)}>
                    {values[field] ?? <span className="quiet">{t`empty`}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
