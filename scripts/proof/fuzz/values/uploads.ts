// Files as people upload them.
import type { Schema } from '../../../../src/contract/contract.ts';

const people = Buffer.from('name,email,position,department\nAda,ada@example.com,Planner,Ops\n=1+1,x,,\n');
/** A picture of one pixel. */
const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = { filename: 'photo.png', content: Buffer.from(pngBase64, 'base64'), type: 'image/png' };
const table = { filename: 'people.csv', content: people, type: 'text/csv' };

/** The file that fits, by what the contract says of it: all have the same name. */
export const fittingFile = (schema: Schema) => (/JPEG/.test(String(schema.description)) ? photo : table);
