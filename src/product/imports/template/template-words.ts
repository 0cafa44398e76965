import { type Language, languageTags } from '../../../contract/languages/language.ts';
import { say, type Text } from '../../../contract/languages/text.ts';

export const templateSheetName: Text = say`Collaborators`;

/** Its name in each language; imports read such a sheet by default, wherever it is in a workbook. */
export const templateSheets: ReadonlySet<string> = new Set(
  (Object.keys(languageTags) as Language[]).map((language) => templateSheetName.in(language)),
);

export const templateTitle: Text = say`Collaborators to import`;

export const templateWords = {
  instructions: say`Instructions`,
  column: say`Column`,
  rule: say`Accepted values`,
  required: say`Required`,
  example: say`Example`,
  yes: say`yes`,
  no: say`no`,
};

export const instructions: readonly (readonly [topic: Text, text: Text])[] = [
  [
    say`Where`,
    say`Fill in the sheet “${templateSheetName}”, one row for each person. Columns may be moved; leave their headers as they are.`,
  ],
  [say`Example`, say`The gray row is an example. The import leaves it out, so it can stay.`],
  [
    say`Required`,
    say`Columns with a * must be filled in for everyone who is added. Columns you do not need can be deleted.`,
  ],
  [
    say`Lists`,
    say`Departments, positions, locations and managers that the company has already are offered. Others can be typed in.`,
  ],
  [
    say`Managers`,
    say`A manager is named by email address: of someone in the company, or of a row of this file, also further down.`,
  ],
  [
    say`Status`,
    say`Has no column: who is added is pending until the invitation is accepted, and inactive from the day after a termination date.`,
  ],
  [say`Values`, say`Values are best. Of a cell with a formula, the result that the file has is read.`],
  [
    say`Save as`,
    say`Any of these: Excel workbook (xlsx), Excel 97–2003 (xls), Excel binary (xlsb), OpenDocument (ods), CSV.`,
  ],
  [say`Size`, say`At most 100,000 people and 20 MB in one file.`],
  [say`Errors`, say`Let the file be checked first (dry run): every error is listed with its row and column.`],
];
