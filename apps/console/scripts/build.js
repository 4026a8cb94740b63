// Builds the console into the server package (packages/server/assets/console). `npm ci` runs it by the root's `prepare`. It needs no
// network. An installation without development dependencies has nothing to build with; it is told so, and gets no console.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const OUT = fileURLToPath(new URL('../../../packages/server/assets/console/', import.meta.url));

/** Smaller files fit into one packet either way. */
const COMPRESSED_BYTES = 1_400;

async function build() {
  const vite = await import('vite').catch(() => undefined);
  if (vite === undefined) {
    console.log('The console is not built: the development dependencies are not installed.');
    return;
  }
  const { default: react } = await import('@vitejs/plugin-react');
  const began = performance.now();
  rmSync(OUT, { recursive: true, force: true });
  await vite.build({
    root: HOME,
    configFile: false,
    logLevel: 'warn',
    // Files are named relative to the page: it works below any base path.
    base: './',
    plugins: [react()],
    build: {
      outDir: OUT,
      emptyOutDir: true,
      assetsDir: 'files',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      chunkSizeWarningLimit: 1_000,
    },
  });
  let bytes = 0;
  for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = readFileSync(path);
    if (plain.length >= COMPRESSED_BYTES) writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
    bytes += plain.length;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`The console is built: ${Math.round(bytes / 1000)} kB in ${seconds} s.`);
}

await build().catch((error) => {
  console.error('\nThe console could not be built (npm run console). Everything else is installed.\n');
  console.error(error);
  process.exitCode = 1;
});
