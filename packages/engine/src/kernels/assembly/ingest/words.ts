// Cuts the ASCII words of a text and numbers them, in batches of about a hundred: first all edges, then
// the addresses of all slots, then all slots are fetched from memory, then all look-ups, so no branch
// depends on the length of words. The caller handles what is left: a byte beyond ASCII, a word that is
// too long, a term that the table has no room for. The twin is tail/forward/forward-field.ts.

import { cutBatch, stopPlace, stopReason } from './cut-words';
import { EDGES, MORE, NEEDS_CALLER, NEW_TERM, PROBE, PROBES } from './layout';
import { lookUpNear, prefetchSlots, resolve, UNKNOWN, writeProbe } from './term-table';

const LOW_LINE: u32 = 95;

/** Whether [p, end) has only low lines. */
function isBlank(p: usize, end: usize): bool {
  for (; p < end; p++) if (load<u8>(p) !== LOW_LINE) return false;
  return true;
}

/**
 * Writes the numbers of the words from p on to `out`; returns how many. `head`: that of the table. REQUIRES: the bytes may be
 * lowered in place; 128 bytes behind the end may be read and written; room for a number per two bytes; RESULT_BYTES for the
 * result.
 */
export function cutWords(head: usize, result: usize, p: usize, end: usize, longest: u32, out: usize): i32 {
  const first = out;
  const probes = result + PROBES;
  let at = p;
  while (true) {
    const found = cutBatch(result + EDGES, at, end, longest);
    let why = stopReason;
    at = stopPlace;
    // Write the probe of each word, until one is too long.
    const slots = <usize>load<u32>(head);
    const mask = load<u32>(head, 4);
    const edgesEnd = result + EDGES + (found << 3);
    let last = probes;
    for (let edges = result + EDGES; edges < edgesEnd; edges += 8) {
      const start = <usize>load<u32>(edges);
      const length = load<u32>(edges, 4) - <u32>start;
      if (length > longest) {
        why = NEEDS_CALLER;
        at = start;
        break;
      }
      if (load<u8>(start) === LOW_LINE && isBlank(start, start + length)) continue;
      writeProbe(slots, mask, last, start, length);
      last += PROBE;
    }
    // The result is stored, or the compiler would drop the fetches.
    store<u32>(result, prefetchSlots(probes, last), 12);
    let unknown: u32 = 0;
    for (let probe = probes, to = out; probe < last; probe += PROBE, to += 4) {
      const number = lookUpNear(head, slots, mask, probe);
      store<u32>(to, number);
      unknown |= number;
    }
    const count = (last - probes) / PROBE;
    if (<i32>unknown < 0) {
      const known = enterTerms(head, probes, count, out);
      if (known < count) {
        const probe = probes + known * PROBE;
        const term = load<u32>(probe, 16);
        return stop(result, term, term + load<u32>(probe, 12), NEW_TERM, first, out + (known << 2));
      }
    }
    out += count << 2;
    if (why !== MORE) return stop(result, <u32>at, 0, why, first, out);
  }
}

/**
 * Resolves the unknown terms in order and numbers new ones; returns the index of the first without room, or
 * count.
 */
function enterTerms(head: usize, probes: usize, count: usize, out: usize): usize {
  for (let i: usize = 0; i < count; i++) {
    const place = out + (i << 2);
    if (load<u32>(place) !== UNKNOWN) continue;
    const number = resolve(head, probes + i * PROBE);
    if (number < 0) return i;
    store<u32>(place, <u32>number);
  }
  return count;
}

function stop(result: usize, at: u32, end: u32, why: u32, first: usize, out: usize): i32 {
  store<u32>(result, at);
  store<u32>(result, end, 4);
  store<u32>(result, why, 8);
  return <i32>((out - first) >>> 2);
}
