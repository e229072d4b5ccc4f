/** How often other work had its turn until the promise was settled. */
export async function turnsUntil<T>(work: Promise<T>): Promise<[result: T, turns: number]> {
  let turns = 0;
  let timer: NodeJS.Immediate;
  const next = (): void => {
    turns++;
    timer = setImmediate(next);
  };
  timer = setImmediate(next);
  try {
    return [await work, turns];
  } finally {
    clearImmediate(timer);
  }
}
