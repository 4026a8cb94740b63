// What a torture came to, in the four figures that it prints.

/** `silent`: something is wrong and nobody says so. `lost`: something acknowledged is gone, said or not. */
export interface Tally {
  readonly name: string;
  tried: number;
  lost: number;
  silent: number;
  hung: number;
  /** One line for each case that counts as lost, silent or hung. */
  readonly cases: string[];
}

export function newTally(name: string): Tally {
  return { name, tried: 0, lost: 0, silent: 0, hung: 0, cases: [] };
}

export function isClean({ lost, silent, hung }: Tally): boolean {
  return lost + silent + hung === 0;
}

export function lineOf({ name, tried, lost, silent, hung }: Tally): string {
  return `${name}: ${tried} tried, ${lost} lost, ${silent} silent, ${hung} hung`;
}

/** Shows how far a torture is, on one line of a terminal, and nothing elsewhere. */
export function showProgress(tally: Tally, of: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\x1b[K${lineOf(tally)} (of ${of})${tally.tried === of ? '\n' : ''}`);
}
