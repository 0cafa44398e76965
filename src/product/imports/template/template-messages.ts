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
    t`Fill in the sheet “${templateSheetName}”, one row for each person. Columns may be moved; leave their headers as they are.`,
  ],
  [t`Example`, t`The gray row is an example. The import leaves it out, so it can stay.`],
  [
    t`Required`,
    t`Columns with a * must be filled in for everyone who is added. Columns you do not need can be deleted.`,
  ],
  [
    t`Lists`,
    t`Departments, positions, locations and managers that the company has already are offered. Others can be typed in.`,
  ],
  [
    t`Managers`,
    t`A manager is named by email address: of someone in the company, or of a row of this file, also further down.`,
  ],
  [
    t`Status`,
    t`Has no column: who is added is pending until the invitation is accepted, and inactive from the day after a termination date.`,
  ],
  [t`Values`, t`Values are best. Of a cell with a formula, the result that the file has is read.`],
  [
    t`Save as`,
    t`Any of these: Excel workbook (xlsx), Excel 97–2003 (xls), Excel binary (xlsb), OpenDocument (ods), CSV.`,
  ],
  [t`Size`, t`At most 100,000 people and 20 MB in one file.`],
  [t`Errors`, t`Let the file be checked first (dry run): every error is listed with its row and column.`],
];
