interface Started {
  dispose(): Promise<void>;
}

/**
 * What starts next to each other, in the order given.
 * @throws Error of one that fails, when all others have started and been disposed of
 */
export async function startAll<T extends readonly Promise<Started>[] | []>(
  starts: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const results = await Promise.allSettled<Promise<Started>[]>([...starts]);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (started.length < starts.length) await Promise.all(started.map((one) => one.dispose()));
  return Promise.all(starts);
}
