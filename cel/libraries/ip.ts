import { IpAddress } from '../../api/ip.ts';
import { constantEstimate, walkEstimate } from '../cost/estimators.ts';
import {
  declareFunction,
  globalOverload,
  memberOverload,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import { BOOL, INT, opaqueType, STRING, typeType, type Typed } from '../value/type.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { CelError, CelObject, type CelValue } from '../value/value.ts';
import { typeConstant, type Library } from './library.ts';

export const IP_TYPE: Typed<CelIp> = opaqueType('net.IP');

export class CelIp extends CelObject {
  override readonly type = IP_TYPE;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override get size(): number {
    return this.address.family === 4 ? 4 : 16;
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelIp && this.address.equals(other.address);
  }
}

/** An address without zone that is not an IPv4 address in disguise. */
export function parseIp(text: string): CelIp | CelError {
  const quoted = JSON.stringify(text);
  const address = IpAddress.parse(text, { allowZone: true });
  if (address === undefined) {
    return new CelError(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
    );
  }
  if (address.zone !== '') {
    return new CelError(`IP address ${quoted} with zone value is not allowed`);
  }
  return address.isMapped()
    ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`)
    : new CelIp(address);
}

function isCanonical(text: string): CelValue {
  const ip = parseIp(text);
  return ip instanceof CelError ? ip : ip.address.canonical() === text;
}

function test(
  name: string,
  id: string,
  check: (address: IpAddress) => boolean,
): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(id, [IP_TYPE], BOOL, ({ address }) => check(address), {
      estimate: constantEstimate,
    }),
  );
}

/** Parsing walks the text, `times` over. */
export function walking(times = 1): {
  cost: (text: string) => number;
  estimate: ReturnType<typeof walkEstimate>;
} {
  return { cost: (text) => walkCost(sizeOf(text), times), estimate: walkEstimate(times) };
}

/** IP addresses. */
export const IP_LIBRARY: Library = {
  constants: [typeConstant('net.IP', IP_TYPE, typeType(IP_TYPE))],
  functions: [
    declareFunction('ip', globalOverload('string_to_ip', [STRING], IP_TYPE, parseIp, walking())),
    declareFunction(
      'isIP',
      globalOverload(
        'is_ip',
        [STRING],
        BOOL,
        (text) => !(parseIp(text) instanceof CelError),
        walking(),
      ),
    ),
    declareFunction(
      'ip.isCanonical',
      globalOverload('ip_is_canonical', [STRING], BOOL, isCanonical, walking(2)),
    ),
    declareFunction(
      'family',
      memberOverload('ip_family', [IP_TYPE], INT, ({ address }) => address.family, {
        estimate: constantEstimate,
      }),
    ),
    test('isUnspecified', 'ip_is_unspecified', (a) => a.isUnspecified()),
    test('isLoopback', 'ip_is_loopback', (a) => a.isLoopback()),
    test('isLinkLocalMulticast', 'ip_is_link_local_multicast', (a) => a.isLinkLocalMulticast()),
    test('isLinkLocalUnicast', 'ip_is_link_local_unicast', (a) => a.isLinkLocalUnicast()),
    test('isGlobalUnicast', 'ip_is_global_unicast', (a) => a.isGlobalUnicast()),
    declareFunction(
      'string',
      globalOverload('ip_to_string', [IP_TYPE], STRING, ({ address }) => address.canonical()),
    ),
  ],
};
