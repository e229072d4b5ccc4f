import { IpPrefix } from '../../api/ip.ts';
import type { CallEstimator } from '../types/call-estimate.ts';
import { constantEstimate } from '../cost/estimators.ts';
import { Range } from '../types/range.ts';
import { declareFunction, globalOverload, memberOverload } from '../types/declaration.ts';
import { BOOL, INT, opaqueType, STRING, typeType, type Typed } from '../value/type.ts';
import { sizeOf, STRING_COST, walkCost } from '../value/size.ts';
import { CelError, CelObject, type CelValue } from '../value/value.ts';
import { CelIp, IP_TYPE, parseIp, walking } from './ip.ts';
import { typeConstant, type Library } from './library.ts';

const CIDR_TYPE: Typed<CelCidr> = opaqueType('net.CIDR');

class CelCidr extends CelObject {
  override readonly type = CIDR_TYPE;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  override get size(): number {
    return Math.ceil(this.prefix.length / 8);
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelCidr && this.prefix.equals(other.prefix);
  }
}

const PARSE_ERROR = 'network address parse error during conversion from string:';

function parseCidr(text: string): CelCidr | CelError {
  const quoted = JSON.stringify(text);
  const prefix = IpPrefix.parse(text);
  if (prefix === undefined) {
    const why = text.includes('/') ? 'bad prefix' : "no '/'";
    return new CelError(`${PARSE_ERROR} ${PARSE_ERROR} netip.ParsePrefix(${quoted}): ${why}`);
  }
  return prefix.address.isMapped()
    ? new CelError(`${PARSE_ERROR} IPv4-mapped IPv6 address ${quoted} is not allowed`)
    : new CelCidr(prefix);
}

function containsIp(cidr: CelCidr, ip: CelIp | CelError): CelValue {
  return ip instanceof CelError ? ip : cidr.prefix.contains(ip.address);
}

function containsCidr(cidr: CelCidr, other: CelCidr | CelError): CelValue {
  return other instanceof CelError ? other : cidr.prefix.containsPrefix(other.prefix);
}

/** Comparing the bytes of two addresses; text has to be parsed first. */
const compareCost = (cidr: CelCidr, text: CelValue): number =>
  walkCost(2 * cidr.size) + (typeof text === 'string' ? walkCost(sizeOf(text)) : 0);
const BYTES = new Range(4n, 16n);
const compareEstimate: CallEstimator = ({ args, sizeOf }) => {
  const cost = BYTES.add(BYTES).scale(STRING_COST);
  const [other] = args;
  if (other?.type.kind !== 'string') return { cost };
  return { cost: cost.add(sizeOf(other).scale(STRING_COST)) };
};
const ipOptions = { cost: compareCost, estimate: compareEstimate };

/** Blocks are masked before they are compared, which is another walk. */
const cidrOptions = {
  cost: (cidr: CelCidr, other: CelValue): number =>
    compareCost(cidr, other) + walkCost(cidr.size) + 1,
  estimate: ((call) => {
    const compared = compareEstimate(call);
    const masking = BYTES.scale(STRING_COST).add(Range.fixed(1));
    return compared === undefined ? undefined : { cost: compared.cost.add(masking) };
  }) satisfies CallEstimator,
};
const nominal = { estimate: constantEstimate };

/** Blocks of IP addresses. */
export const CIDR_LIBRARY: Library = {
  constants: [typeConstant('net.CIDR', CIDR_TYPE, typeType(CIDR_TYPE))],
  functions: [
    declareFunction(
      'cidr',
      globalOverload('string_to_cidr', [STRING], CIDR_TYPE, parseCidr, walking()),
    ),
    declareFunction(
      'isCIDR',
      globalOverload(
        'is_cidr',
        [STRING],
        BOOL,
        (text) => !(parseCidr(text) instanceof CelError),
        walking(),
      ),
    ),
    declareFunction(
      'containsIP',
      memberOverload(
        'cidr_contains_ip_string',
        [CIDR_TYPE, STRING],
        BOOL,
        (cidr, text) => containsIp(cidr, parseIp(text)),
        ipOptions,
      ),
      memberOverload('cidr_contains_ip_ip', [CIDR_TYPE, IP_TYPE], BOOL, containsIp, ipOptions),
    ),
    declareFunction(
      'containsCIDR',
      memberOverload(
        'cidr_contains_cidr_string',
        [CIDR_TYPE, STRING],
        BOOL,
        (cidr, text) => containsCidr(cidr, parseCidr(text)),
        cidrOptions,
      ),
      memberOverload('cidr_contains_cidr', [CIDR_TYPE, CIDR_TYPE], BOOL, containsCidr, cidrOptions),
    ),
    declareFunction(
      'ip',
      memberOverload('cidr_ip', [CIDR_TYPE], IP_TYPE, (c) => new CelIp(c.prefix.address), nominal),
    ),
    declareFunction(
      'prefixLength',
      memberOverload('cidr_prefix_length', [CIDR_TYPE], INT, (c) => c.prefix.length, nominal),
    ),
    declareFunction(
      'masked',
      memberOverload(
        'cidr_masked',
        [CIDR_TYPE],
        CIDR_TYPE,
        (c) => new CelCidr(c.prefix.masked()),
        nominal,
      ),
    ),
    declareFunction(
      'string',
      globalOverload('cidr_to_string', [CIDR_TYPE], STRING, (c) => c.prefix.canonical()),
    ),
  ],
};
