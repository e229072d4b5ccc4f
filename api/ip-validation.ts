import { fieldError, type FieldError } from './field-error.ts';
import type { FieldPath } from './field-path.ts';
import { IpAddress, IpPrefix } from './ip.ts';

/** Nothing longer is looked at twice to find out what is wrong with it. */
const MAX_SLOPPY_LENGTH = 128;

/** The same text with zeros in front of numbers left out, which some software takes for octal. */
function withoutLeadingZeros(text: string): string {
  if (text.length > MAX_SLOPPY_LENGTH) return text;
  return text.replace(/(?<![0-9a-f])0+(?=[0-9a-f])/gi, '');
}

/**
 * What is wrong with an address in a field that was always checked loosely:
 * the form may be any. With `strict` leading zeros and IPv4-mapped addresses
 * are refused. Source: IsValidIPForLegacyField of apimachinery.
 */
export function validateLooseIp(path: FieldPath, text: string, strict = true): FieldError[] {
  const address = IpAddress.parse(text);
  if (address === undefined) {
    const isClose = IpAddress.parse(withoutLeadingZeros(text)) !== undefined;
    if (isClose && !strict) return [];
    const why = isClose
      ? 'must not have leading 0s'
      : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [fieldError.invalid(path, text, why)];
  }
  return strict && address.isMapped()
    ? [fieldError.invalid(path, text, 'must not be an IPv4-mapped IPv6 address')]
    : [];
}

/** What is wrong with an address that has to be written in its canonical form. Source: IsValidIP. */
export function validateIp(path: FieldPath, text: string): FieldError[] {
  const errors = validateLooseIp(path, text);
  return errors.length > 0 ? errors : notCanonical(path, text, IpAddress.parse(text)?.canonical());
}

/** What is wrong with a block of addresses, see {@link validateLooseIp}. Source: IsValidCIDRForLegacyField. */
export function validateLooseCidr(path: FieldPath, text: string, strict = true): FieldError[] {
  const prefix = IpPrefix.parse(text);
  if (prefix === undefined) {
    const isClose = IpPrefix.parse(withoutLeadingZeros(text)) !== undefined;
    if (isClose && !strict) return [];
    const why = isClose
      ? 'must not have leading 0s in IP or prefix length'
      : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
    return [fieldError.invalid(path, text, why)];
  }
  if (!strict) return [];
  if (prefix.address.isMapped()) {
    return [fieldError.invalid(path, text, 'must not have an IPv4-mapped IPv6 address')];
  }
  return prefix.isMasked()
    ? []
    : [fieldError.invalid(path, text, 'must not have bits set beyond the prefix length')];
}

/** What is wrong with a block that has to be written in its canonical form. Source: IsValidCIDR. */
export function validateCidr(path: FieldPath, text: string): FieldError[] {
  const errors = validateLooseCidr(path, text);
  return errors.length > 0 ? errors : notCanonical(path, text, IpPrefix.parse(text)?.canonical());
}

function notCanonical(path: FieldPath, text: string, canonical: string | undefined): FieldError[] {
  return canonical === undefined || canonical === text
    ? []
    : [fieldError.invalid(path, text, `must be in canonical form (${JSON.stringify(canonical)})`)];
}
