// Preload that turns the WebAssembly kernels off, so that tests run on their TypeScript twins, as on machines
// without SIMD.
//
//   node --import ./scripts/twins.ts --test …

import './compiled.ts';

process.env['OCTAVO_KERNELS'] = 'ts';
