import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { CallError } from './call-error.ts';

/**
 * Link-local addresses are where clouds keep the credentials of machines: no
 * webhook is there. Names are looked up once, and what was checked is what is
 * connected to, so that a name cannot change its mind in between.
 */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');

function isLinkLocal(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LINK_LOCAL.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** @throws CallError when the host is a link-local address */
export function refuseLinkLocal(host: string): void {
  if (isLinkLocal(host)) throw refused(host);
}

/** For the options of a connection: as Node looks up names, without link-local addresses. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, options, (error, found: string | LookupAddress[], family?: number) => {
    if (error !== null) {
      callback(error, found, family);
      return;
    }
    const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
    const bad = addresses.find(isLinkLocal);
    if (bad === undefined) callback(null, found, family);
    else callback(refused(bad), found, family);
  });
};

function refused(address: string): CallError {
  return new CallError('refused', `dial tcp ${address}: link-local addresses are not called`);
}
