// Sample uploads.
import type { Schema } from '../../../../src/contract/contract.ts';

const people = Buffer.from('name,email,position,department\nAda,ada@example.com,Planner,Ops\n=1+1,x,,\n');
/** A one-pixel image. */
const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = { filename: 'photo.png', content: Buffer.from(pngBase64, 'base64'), type: 'image/png' };
const table = { filename: 'people.csv', content: people, type: 'text/csv' };

/** Chooses the file by the schema's description, because all parts have the same name. */
export const fittingFile = (schema: Schema) => (/JPEG/.test(String(schema.description)) ? photo : table);
