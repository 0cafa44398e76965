/** All clients that are checked. */
import type { SdkClient } from './client.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { python } from './python.ts';
import { heyApi, openapiFetch } from './typescript.ts';

export const clients: SdkClient[] = [openapiFetch, heyApi, python, go, java];
