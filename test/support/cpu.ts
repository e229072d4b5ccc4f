/** CPU that this process has used, in milliseconds: unlike time, it does not grow while others use the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** What {@link reference} costs on an ordinary machine. */
const REFERENCE_MS = 20;

/** A bound in CPU for this machine: slower ones, and busy ones, get as much more as they are slower. */
export function scaled(ms: number): number {
  let least = Infinity;
  for (let i = 0; i < 3; i++) least = Math.min(least, reference());
  return ms * Math.max(1, least / REFERENCE_MS);
}

let text: string | undefined;

/** CPU of reading an object of many fields. */
function reference(): number {
  text ??= JSON.stringify(
    Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])),
  );
  const from = cpuMs();
  JSON.parse(text);
  return cpuMs() - from;
}
