import { IpAddress } from '../../api/ip.ts';

/** Longer texts are no address; leading zeros could be many. */
const MAX_ADDRESS_LENGTH = 64;
/** Length of a host name in bytes. Source: RFC 1034, section 3.1. */
const MAX_HOSTNAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;

/**
 * Four decimals, leading zeros allowed as the reference does for old objects;
 * also the mixed form of IPv6, because it has a dot.
 */
export function isIpv4(text: string): boolean {
  return text.includes('.') && parseSloppily(text) !== undefined;
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && IpAddress.parse(text) !== undefined;
}

/** An address and the length of a prefix; bits after it may be set. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = parseSloppily(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,9}$/.test(length)) return false;
  return Number(length) <= (address.family === 4 ? 32 : 128);
}

function parseSloppily(text: string): IpAddress | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined;
  // of decimals and of groups of hexadecimals
  return IpAddress.parse(text.replace(/(?<![0-9A-Fa-f])0+(?=[0-9A-Fa-f])/g, ''));
}

const HEX = '[0-9A-Fa-f]';
const MAC_PATTERNS = [':', '-'].map(
  (separator) =>
    new RegExp(
      `^${HEX}{2}(?:${separator}${HEX}{2}){5}(?:(?:${separator}${HEX}{2}){2}|(?:${separator}${HEX}{2}){14})?$`,
    ),
);
const MAC_DOTTED = new RegExp(
  `^${HEX}{4}(?:\\.${HEX}{4}){2}(?:\\.${HEX}{4}|(?:\\.${HEX}{4}){7})?$`,
);

/** Six, eight or twenty bytes in pairs with colons or dashes, or in fours with dots. */
export function isMac(text: string): boolean {
  return MAC_DOTTED.test(text) || MAC_PATTERNS.some((pattern) => pattern.test(text));
}

const CHAR = 'a-zA-Z0-9\\p{S}\\p{L}';
/** One label alone: a dash may only stand after its first character. */
const LABEL = new RegExp(`^[${CHAR}]-?[${CHAR}]{0,62}$`, 'u');
/** Labels with dots, then letters. */
const DOMAIN = new RegExp(
  `^(?:[${CHAR}](?:[${CHAR}-]{0,61}[${CHAR}])?\\.)+[a-zA-Z\\p{L}]{2,63}$`,
  'u',
);

/**
 * A host name; symbols and letters beyond ASCII are allowed. A name of one
 * label has no inner dashes except after its first character: odd, but what
 * schemas have been checked against for years.
 */
export function isHostname(text: string): boolean {
  if (text.length > MAX_HOSTNAME_BYTES || Buffer.byteLength(text) > MAX_HOSTNAME_BYTES) {
    return false;
  }
  if (!LABEL.test(text) && !DOMAIN.test(text)) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= MAX_LABEL_BYTES);
}
