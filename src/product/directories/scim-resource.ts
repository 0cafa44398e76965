import type { Attributes } from './attributes.ts';

export interface ScimResource extends Attributes {
  schemas: string[];
  id: string;
  meta: { resourceType: 'User' | 'Group'; created: string; lastModified: string; location: string; version: string };
}
