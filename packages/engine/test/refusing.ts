// Memory that refuses one block, for tests of work that fails in its middle.

import { EngineError } from '../src/errors.ts';
import { createMemory } from '../src/memory/arenas.ts';
import type { Memory } from '../src/memory/memory.ts';

/**
 * Memory that refuses the n-th block that keeps to the budget; what is given back is overwritten. `asked`: so
 * many were asked for.
 */
export function refusing(nth: number): { memory: Memory; asked(): number } {
  const memory = createMemory({ stepBytes: 1 << 20 });
  let [asked, lifted] = [0, 0];
  return {
    asked: () => asked,
    memory: {
      alloc(bytes) {
        if (lifted === 0 && asked++ === nth) throw new EngineError('circuit_breaking_exception', 'no room');
        return memory.alloc(bytes);
      },
      free(block) {
        new Uint8Array(block.buffer, block.ptr, block.bytes).fill(0xff);
        memory.free(block);
      },
      suspendBudget() {
        lifted++;
        return () => void lifted--;
      },
      tryAlloc: (bytes) => memory.tryAlloc(bytes),
      onPressure: (give) => memory.onPressure(give),
      beginReading: () => memory.beginReading(),
      usage: () => memory.usage(),
      get isRoomy() {
        return memory.isRoomy;
      },
    },
  };
}
