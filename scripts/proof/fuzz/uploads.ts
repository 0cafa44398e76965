// Files as people upload them.

const people = Buffer.from('name,email,position,department\nAda,ada@example.com,Planner,Ops\n');
/** A picture of one pixel. */
export const png_base64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = { filename: 'photo.png', content: Buffer.from(png_base64, 'base64'), type: 'image/png' };
const table = { filename: 'people.csv', content: people, type: 'text/csv' };

/** The file that fits a part of a form, by the name of the part. */
export const fittingFile = (part: string) => (part === 'photo' ? photo : table);
