/** All clients to check. */

import type { SdkClient } from './client.ts';
import { csharp } from './clients/csharp.ts';
import { go, goByOpenapiGenerator } from './clients/go.ts';
import { java, kotlin } from './clients/jvm.ts';
import { php } from './clients/php.ts';
import { python, pythonByOpenapiGenerator } from './clients/python.ts';
import { ruby } from './clients/ruby.ts';
import { rust } from './clients/rust.ts';
import { heyApi, openapiFetch, orval, typescriptFetch } from './clients/typescript.ts';

export const clients: SdkClient[] = [
  openapiFetch,
  heyApi,
  orval,
  typescriptFetch,
  python,
  pythonByOpenapiGenerator,
  go,
  goByOpenapiGenerator,
  java,
  kotlin,
  csharp,
  rust,
  php,
  ruby,
];
