/** Hides salaries in responses of imports, including replayed ones. */
import type { components } from '../../../generated/api.ts';

type ImportJob = components['schemas']['ImportJob'];

/**
 * Hides salaries, and columns that may contain some, from readers without access.
 * @param hasSalaries whether the file may contain some, and so its error report
 */
export function withoutSalaries(job: ImportJob, hasSalaries: boolean): ImportJob {
  const { error_report_url: reportUrl, restricted_fields: restricted = [], ...others } = job;
  const hidden = [...restricted, ...(hasSalaries ? ['error_report_url'] : [])];
  const columns = job.columns.map((column) => {
    if (column.field !== null && column.field !== 'salary') return column;
    if (column.samples.length > 0) hidden.push('columns.samples');
    // Its options are values of the column.
    if (column.suggested_field) hidden.push('columns.suggested_field');
    return { ...column, samples: [], suggested_field: null };
  });
  const preview = job.preview.map(({ row, values: { salary, ...values } }) => {
    if (salary !== undefined) hidden.push('preview.salary');
    return { row, values };
  });
  const questions = job.questions.map((question) => {
    if (!['decimal', 'column'].includes(question.kind)) return question;
    hidden.push('questions.examples');
    return { ...question, choices: question.choices.map((choice) => ({ ...choice, example: null })) };
  });
  return {
    ...others,
    ...(!hidden.includes('error_report_url') && { error_report_url: reportUrl }),
    columns,
    preview,
    questions,
    ...(hidden.length > 0 && { restricted_fields: [...new Set(hidden)] }),
  };
}
