// fast-check with a configured seed. fixed-seed.ts resolves imports of fast-check to this file.

import { configureGlobal } from 'fast-check';

configureGlobal({ seed: Number(process.env['OCTAVO_SEED'] ?? 1) });

export * from 'fast-check';
export { default } from 'fast-check';
