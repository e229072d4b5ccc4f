interface Part {
  /** How the form writes it. */
  readonly form: string;
  readonly pattern: RegExp;
  /** The greatest value, and what it is called when it is greater (or less than `min`). */
  readonly max?: number;
  readonly min?: number;
  readonly name?: string;
}

const TWO = /^\d\d/;
const PARTS: readonly Part[] = [
  { form: '2006', pattern: /^\d{4}/ },
  { form: '-', pattern: /^-/ },
  { form: '01', pattern: TWO, min: 1, max: 12, name: 'month' },
  { form: '-', pattern: /^-/ },
  { form: '02', pattern: TWO, min: 1, max: 31, name: 'day' },
  { form: 'T', pattern: /^T/ },
  { form: '15', pattern: /^\d\d?/, max: 23, name: 'hour' },
  { form: ':', pattern: /^:/ },
  { form: '04', pattern: TWO, max: 59, name: 'minute' },
  { form: ':', pattern: /^:/ },
  { form: '05', pattern: TWO, max: 59, name: 'second' },
];
const FRACTION: Part = { form: '.000000', pattern: /^[.,]\d+/ };
/** Of a time whose form has a fraction: exactly that many digits. */
const MICROS: Part = { form: '.000000', pattern: /^[.,]\d{6}/ };
const ZONE: Part = { form: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ };

/**
 * Why a text is not a time of the form, which is given as Go writes forms: the
 * first part that is missing or out of range, or what follows the time.
 */
export function timeProblem(text: string, form: string): string {
  const what = `parsing time ${JSON.stringify(text)}`;
  const fraction = form.includes(MICROS.form) ? MICROS : FRACTION;
  let rest = text;
  for (const part of [...PARTS, fraction, ZONE]) {
    const [found] = part.pattern.exec(rest) ?? [];
    if (found === undefined && part === FRACTION) continue;
    if (found === undefined) {
      const at = `cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part.form)}`;
      return `${what} as ${JSON.stringify(form)}: ${at}`;
    }
    const { name, min = 0, max = Infinity } = part;
    if (name !== undefined && (Number(found) < min || Number(found) > max)) {
      return `${what}: ${name} out of range`;
    }
    rest = rest.slice(found.length);
  }
  if (rest !== '') return `${what}: extra text: ${JSON.stringify(rest)}`;
  // every part is fine by itself: the month is shorter, or the time cannot be kept
  return dayIsInMonth(text) ? `${what}: year or offset out of range` : `${what}: day out of range`;
}

function dayIsInMonth(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(text.slice(8, 10));
}
