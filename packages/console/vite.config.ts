/**
 * Builds the console into content-hashed files, each with a brotli version, which the service serves (src/api/console). `npm run
 * dev` serves the source with hot reload, in front of a running service.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** The service that `npm run dev` proxies to. */
const serviceUrl = process.env.SERVICE_URL || 'http://localhost:8080';

export default defineConfig(
  async ({ command }): Promise<UserConfig> => ({
    base: '/console/',
    // Only hot reload needs the React plugin.
    plugins: command === 'serve' ? [(await import('@vitejs/plugin-react')).default(), nameService()] : [compress()],
    build: {
      target: 'es2022',
      assetsInlineLimit: 0, // the content security policy blocks inlined assets
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rollupOptions: {
        // Merges small files: on a slow network, each request costs more than a few unused kilobytes.
        output: { experimentalMinChunkSize: 4_000 },
        // "use client" matters only to server-rendering frameworks.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
      chunkSizeWarningLimit: 700, // in kB, uncompressed; a test limits the initial load to 200 kB as sent
    },
    server: {
      port: 5173,
      proxy: Object.fromEntries(
        ['/v1', '/auth', '/oauth', '/files', '/favicon.svg'].map((path) => [path, { target: serviceUrl, xfwd: true }]),
      ),
    },
  }),
);

/** Does what the service does when it serves the page. */
function nameService(): Plugin {
  return { name: 'name-service', transformIndexHtml: (html) => html.replace('%SERVICE_URL%', serviceUrl) };
}

function compress(): Plugin {
  return {
    name: 'compress',
    async writeBundle({ dir }) {
      const files = await readdir(dir!, { recursive: true });
      const texts = files.filter((file) => /assets.*\.(js|css|svg)$/.test(file));
      await Promise.all(
        texts.map(async (file) => {
          const path = join(dir!, file);
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }));
        }),
      );
    },
  };
}
