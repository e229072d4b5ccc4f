const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-](\d\d):(\d\d))$/;

/** The time in UTC with whole seconds, as Go's metav1.Time writes it; undefined when it is none. */
export function canonicalTime(text: string): string | undefined {
  return parse(text)
    ?.date.toISOString()
    .replace(/\.\d+Z$/, 'Z');
}

/** The time in UTC with six digits of fraction, as Go's metav1.MicroTime writes it. */
export function canonicalMicroTime(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === undefined) return undefined;
  const micros = parsed.fraction.padEnd(6, '0').slice(0, 6);
  return parsed.date.toISOString().replace(/\.\d+Z$/, `.${micros}Z`);
}

function parse(text: string): { date: Date; fraction: string } | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetMinutes(match[8] as string, Number(match[9]), Number(match[10]));
  if (offset === undefined) return undefined;
  date.setUTCHours(hour, minute - offset, second);
  // what falls out of the years 0 to 9999 has no canonical form
  return /^\d{4}-/.test(date.toISOString()) ? { date, fraction: match[7] ?? '' } : undefined;
}

function offsetMinutes(zone: string, hours: number, minutes: number): number | undefined {
  if (zone === 'Z') return 0;
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
