import { type Language, languageTags } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';

export const templateSheetName: Text = t`Collaborators`;

/** Its name in each language; imports read such a sheet by default, wherever it is in a workbook. */
export const templateSheets: ReadonlySet<string> = new Set(
  (Object.keys(languageTags) as Language[]).map((language) => templateSheetName.translate(language)),
);

export const templateTitle: Text = t`Collaborators to import`;

export const templateMessages = {
  instructions: t`Instructions`,
  column: t`Column`,
  rule: t`Accepted values`,
  required: t`Required`,
  example: t`Example`,
  yes: t`yes`,
  no: t`no`,
};

export const instructions: readonly (readonly [topic: Text, text: Text])[] = [
  [
    t`Where`,
    t`Fill in the sheet “${templateSheetName}”, one row for each person. You can move columns, but don’t change their headers.`,
  ],
  [t`Example`, t`The gray row is an example. The import ignores it, so you can keep it.`],
  [
    t`Required`,
    t`Columns with a * must be filled in for everyone who is added. You can delete columns that you don’t need.`,
  ],
  [t`Lists`, t`Cells suggest the company’s departments, positions, locations, and managers. You can type others.`],
  [t`Managers`, t`Enter the email address of the manager, who can be in the company or in any row of this file.`],
  [
    t`Status`,
    t`Not in the file: people who are added are pending until they accept the invitation, and inactive from the day after a termination date.`,
  ],
  [t`Values`, t`Use values rather than formulas. Formulas are read as their stored result.`],
  [
    t`Save as`,
    t`Any of these: Excel workbook (xlsx), Excel 97–2003 (xls), Excel binary (xlsb), OpenDocument (ods), CSV.`,
  ],
  [t`Size`, t`At most 100,000 people and 20 MB in one file.`],
  [t`Errors`, t`Check the file first (dry run): every error is listed with its row and column.`],
];
