// A preload of a server: measures every turn of its event loop in CPU time of the main thread, between `begin` and `end` of the parent
// process. CPU time, so that other work of the machine does not count. An immediate that schedules itself marks the turns.

/** What one measurement found, in milliseconds. */
export interface TurnFigures {
  readonly longestMs: number;
  /** CPU time of all turns that took more than the marking itself. */
  readonly cpuMs: number;
}

/** A turn that only marks costs less. */
const MARK_MICROS = 25;

let isMeasuring = false;
let longest = 0;
let total = 0;
let last = 0;

function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function mark(): void {
  if (!isMeasuring) return;
  const now = cpuMicros();
  const turn = now - last;
  if (turn > longest) longest = turn;
  if (turn > MARK_MICROS) total += turn;
  last = cpuMicros();
  setImmediate(mark);
}

if (process.send !== undefined) {
  process.on('message', (message) => {
    if (message === 'begin') {
      isMeasuring = true;
      longest = total = 0;
      last = cpuMicros();
      setImmediate(mark);
      process.send!('begun');
    } else if (message === 'end') {
      isMeasuring = false;
      const figures: TurnFigures = { longestMs: longest / 1000, cpuMs: total / 1000 };
      process.send!(figures);
    }
  });
  process.channel?.unref();
}
