import { IpAddress } from '../../api/ip.ts';

/** Longer strings are refused as addresses; leading zeros could be many. */
const MAX_ADDRESS_LENGTH = 64;
/** Of a host name as text: 255 bytes on the wire. Source: RFC 1034, section 3.1. */
const MAX_HOSTNAME_LENGTH = 253;

/**
 * Four decimals, leading zeros allowed as kube-apiserver does for old objects;
 * also the mixed form of IPv6, because it has a dot.
 */
export function isIpv4(text: string): boolean {
  return text.includes('.') && parseSloppily(text) !== undefined;
}

/** An IPv6 address, also in the form that embeds an IPv4 address. */
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

const MAC_BARE = new RegExp(`^(?:${HEX}{12}|${HEX}{16}|${HEX}{40})$`);

/** Six, eight or twenty bytes in pairs with colons or dashes, in fours with dots, or without separators. */
export function isMac(text: string): boolean {
  return (
    MAC_BARE.test(text) ||
    MAC_DOTTED.test(text) ||
    MAC_PATTERNS.some((pattern) => pattern.test(text))
  );
}

/** Letters, digits and inner hyphens, at most 63. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** The last of several labels; one of digits alone would make an address of it. */
const NUMERIC_END = /\.\d+$/;

/** A host name: `web-1`, `db.corp1`. Source: RFC 1034, section 3.1; labels may begin with a digit by RFC 1123. */
export function isHostname(text: string): boolean {
  return text.length <= MAX_HOSTNAME_LENGTH && HOSTNAME.test(text) && !NUMERIC_END.test(text);
}
