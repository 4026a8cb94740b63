// Do the TypeScript twins of the kernels say the same? Where the machine has no SIMD they do all the work: tests that come by way
// of kernels run once more without any. `node --import ./scripts/twins.ts --test …`

import './compiled.ts';

process.env['OCTAVO_KERNELS'] = 'ts';
