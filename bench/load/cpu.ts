/** `time` calls what it measures so many times as often as it is told to. */
export const ROUNDS = 9;

/** Median microseconds of processor time of one call: other programs on the machine do not count. */
export function time(calls: number, call: (i: number) => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i++) call(i);
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / calls);
  }
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

/** One figure in a line, in columns. */
export function print(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(58)}${figure.toFixed(figure < 10 ? 2 : 0).padStart(9)} ${unit}`);
}
