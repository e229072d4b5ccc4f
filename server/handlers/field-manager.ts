const MAX_CHARACTERS = 128;
const UNKNOWN = 'unknown';

/**
 * The manager of a client that names none: its User-Agent up to the first slash
 * (behaviours 5.10).
 */
export function managerFromUserAgent(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/')[0] ?? '';
  const printable = name.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_CHARACTERS);
  return printable === '' ? UNKNOWN : printable;
}
