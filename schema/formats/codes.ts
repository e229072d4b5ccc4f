import { base64Problem } from '../typed/scalars.ts';

/** What goes by a pattern or a check digit. */

const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
const GROUP = '[0-9a-f]{4}';
const VARIANT = '[89ab][0-9a-f]{3}';

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

export const isUuid = matches(uuid(GROUP, GROUP));
export const isUuid3 = matches(uuid('3[0-9a-f]{3}', GROUP));
export const isUuid4 = matches(uuid('4[0-9a-f]{3}', VARIANT));
export const isUuid5 = matches(uuid('5[0-9a-f]{3}', VARIANT));
export const isBsonObjectId = matches(/^[0-9A-Fa-f]{24}$/);
export const isHexColor = matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);

const COLOR = '[\\t\\n\\f\\r ]*(?:0|1[0-9]{0,2}|2[0-4][0-9]|25[0-5]|[1-9][0-9]?)[\\t\\n\\f\\r ]*';
export const isRgbColor = matches(new RegExp(`^rgb\\(${COLOR},${COLOR},${COLOR}\\)$`));

/** Three, two and four digits, each pair of parts separated by a dash or a space, or no pair. */
export const isSsn = matches(/^(?:[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}|[0-9]{9})$/);

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

/** A card number of the known issuers with a right check digit; anything may stand between the digits. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9;
  }
  return sum % 10 === 0;
}

const withoutSeparators = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

/** Checks the digit at the end, modulo 11; spaces and hyphens may stand between digits. */
export function isIsbn10(text: string): boolean {
  const code = withoutSeparators(text);
  if (!/^[0-9]{9}[0-9X]$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (code[i] === 'X' ? 10 : Number(code[i]));
  return sum % 11 === 0;
}

/** Checks the digit at the end, modulo 10; spaces and hyphens may stand between digits. */
export function isIsbn13(text: string): boolean {
  const code = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += Number(code[i]) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/** Format `isbn`: either length. */
export const isIsbn = (text: string): boolean => isIsbn10(text) || isIsbn13(text);

/** Padded base64 of the standard alphabet, at least one byte. */
export const isBase64 = (text: string): boolean => text !== '' && base64Problem(text) === undefined;

const NAME = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const SHORT_NAME = new RegExp(`^${NAME}$`);
const LONG_NAME = new RegExp(`^${NAME}(?:\\.${NAME})*$`);

/** Format `k8s-short-name`: a DNS label of at most 63 characters. */
export const isShortName = (text: string): boolean => text.length <= 63 && SHORT_NAME.test(text);

/** Format `k8s-long-name`: a DNS subdomain of at most 253 characters. */
export const isLongName = (text: string): boolean => text.length <= 253 && LONG_NAME.test(text);
