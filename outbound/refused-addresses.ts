import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { IpAddress } from '../api/ip.ts';
import { CallError } from './call-error.ts';

/*
 * Where clouds keep the credentials of machines: no webhook, no server of an
 * APIService and no issuer of tokens is there. Names are looked up once, and what
 * was checked is what is connected to, so that a name cannot change its mind in
 * between.
 */

const WELL_KNOWN: readonly [address: string, prefix: number][] = [
  // link-local: AWS, Google Cloud, Azure, OpenStack, DigitalOcean
  ['169.254.0.0', 16],
  ['fe80::', 10],
  // AWS by IPv6, with the credentials of containers
  ['fd00:ec2::', 32],
  // Google Cloud by IPv6
  ['fd20:ce::254', 128],
  // Alibaba Cloud
  ['100.100.100.200', 32],
  // Azure: agents of machines
  ['168.63.129.16', 32],
  // Oracle Cloud
  ['192.0.0.192', 32],
];

interface Range {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly prefix: bigint;
}

const RANGES: readonly Range[] = WELL_KNOWN.map(([text, prefix]) => {
  const { family, value } = parsed(text);
  return { family, value, prefix: BigInt(prefix) };
});

function parsed(text: string): IpAddress {
  const address = IpAddress.parse(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

const MASK_32 = 0xffff_ffffn;

/**
 * The IPv4 addresses for which an IPv6 one may stand: a gateway of the network
 * would connect to them. Sources: RFC 4291 (mapped, compatible), 2765
 * (translated), 3056 (6to4), 4380 (Teredo), 5214 (ISATAP), 6052 and 8215 (NAT64).
 */
function embedded(value: bigint): bigint[] {
  const last = value & MASK_32;
  const found: bigint[] = [];
  const high96 = value >> 32n;
  if (high96 === 0n || high96 === 0xffffn || high96 === 0xffff_0000n) found.push(last);
  if (value >> 112n === 0x2002n) found.push((value >> 80n) & MASK_32);
  if (value >> 96n === 0x2001_0000n) found.push(last ^ MASK_32, (value >> 64n) & MASK_32);
  if (((value >> 32n) & 0xfcff_ffffn) === 0x5efen) found.push(last);
  if (high96 === 0x0064_ff9b_0000_0000_0000_0000n) found.push(last);
  // a network's own prefix for NAT64 of whatever length: the bits around 64 to 71 are the address
  if (value >> 80n === 0x0064_ff9b_0001n) {
    const spread = ((value >> 64n) & 0xffffn) << 16n;
    found.push(last, spread | ((value >> 40n) & 0xffffn));
    found.push((((value >> 64n) & 0xffn) << 24n) | ((value >> 32n) & 0xff_ffffn));
    found.push((value >> 24n) & MASK_32);
  }
  return found;
}

function isIn(range: Range, family: 4 | 6, value: bigint): boolean {
  const shift = (family === 4 ? 32n : 128n) - range.prefix;
  return range.family === family && value >> shift === range.value >> shift;
}

/** Is this an address that is never called? Text that is not an address is not. */
export function isRefusedAddress(text: string): boolean {
  const address = IpAddress.parse(text, { allowZone: true });
  if (address === undefined) return false;
  const { family, value } = address;
  const forms = family === 4 ? [] : embedded(value);
  return RANGES.some(
    (range) => isIn(range, family, value) || forms.some((form) => isIn(range, 4, form)),
  );
}

/** @throws CallError when the host is an address that is never called */
export function refuseAddress(host: string): void {
  if (isRefusedAddress(host)) throw refused(host);
}

/** For the options of a connection: as Node looks up names, without addresses that are never called. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, options, (error, found: string | LookupAddress[], family?: number) => {
    if (error !== null) {
      callback(error, found, family);
      return;
    }
    const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
    const bad = addresses.find(isRefusedAddress);
    if (bad === undefined) callback(null, found, family);
    else callback(refused(bad), found, family);
  });
};

function refused(address: string): CallError {
  return new CallError(
    'refused',
    `dial tcp ${address}: link-local and cloud metadata addresses are refused`,
  );
}
