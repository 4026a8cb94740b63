// Tells tests whether kernels are available. TypeScript twins replace them if the machine has no SIMD, or OCTAVO_KERNELS is
// `ts`.

import { arenaOf } from '../memory/arena.ts';
import { createMemory } from '../memory/arenas.ts';
import { KernelModule } from './kernel-module.ts';

const arena = arenaOf(createMemory({ stepBytes: 1 << 16 }).alloc(64).buffer)!;

/** Why what only kernels do cannot be tested; false where it can. */
export const noKernels: string | false =
  new KernelModule('search').functionsFor(arena) === undefined &&
  'no kernels: this machine has no SIMD, or OCTAVO_KERNELS is set';
