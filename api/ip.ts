/** Longest text of an address: eight groups, the last two as four decimals. */
const MAX_ADDRESS_LENGTH = 45;
/** Interface names are short; longer zones are refused. */
const MAX_ZONE_LENGTH = 64;
const IPV4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const PREFIX_LENGTH = /^(0|[1-9]\d{0,2})$/;
const MAPPED_PREFIX = 0xffffn;

type IpFamily = 4 | 6;

const bitsOf = (family: IpFamily): number => (family === 4 ? 32 : 128);

/**
 * An IPv4 or IPv6 address. Immutable. Parsing is strict: IPv4 as four decimals
 * without leading zeros, IPv6 as RFC 4291 has it. An IPv4-mapped address
 * (`::ffff:192.0.2.1`) is an IPv6 address, never equal to the IPv4 one.
 * Source of the classification: Go's net/netip.
 */
export class IpAddress {
  readonly family: IpFamily;
  readonly value: bigint;
  /** Empty for an address without zone. */
  readonly zone: string;

  private constructor(family: IpFamily, value: bigint, zone: string) {
    this.family = family;
    this.value = value;
    this.zone = zone;
  }

  /** Undefined when the string is not an address. A zone (`fe80::1%eth0`) is refused unless asked for. */
  static parse(text: string, options: { allowZone?: boolean } = {}): IpAddress | undefined {
    const percent = text.indexOf('%');
    if (percent < 0) return parseAddress(text, '');
    const zone = text.slice(percent + 1);
    if (options.allowZone !== true || zone === '' || zone.length > MAX_ZONE_LENGTH)
      return undefined;
    const address = parseAddress(text.slice(0, percent), zone);
    return address?.family === 6 ? address : undefined;
  }

  /** The address with that number; undefined when the number does not fit the family. */
  static of(family: IpFamily, value: bigint, zone = ''): IpAddress | undefined {
    return value >= 0n && value < 1n << BigInt(bitsOf(family))
      ? new IpAddress(family, value, zone)
      : undefined;
  }

  /** The one text that RFC 5952 prefers; IPv4-mapped addresses end in four decimals. */
  canonical(): string {
    if (this.family === 4) return dotted(this.value);
    const text = this.isMapped()
      ? `::ffff:${dotted(this.value & 0xffff_ffffn)}`
      : compressed(this.value);
    return this.zone === '' ? text : `${text}%${this.zone}`;
  }

  toString(): string {
    return this.canonical();
  }

  equals(other: IpAddress): boolean {
    return this.family === other.family && this.value === other.value && this.zone === other.zone;
  }

  /** IPv4 before IPv6, then by number. */
  compare(other: IpAddress): number {
    if (this.family !== other.family) return this.family - other.family;
    return this.value < other.value ? -1 : this.value > other.value ? 1 : 0;
  }

  /** True for IPv6 addresses that stand for an IPv4 one: `::ffff:0:0/96`. */
  isMapped(): boolean {
    return this.family === 6 && this.value >> 32n === MAPPED_PREFIX;
  }

  /** The IPv4 address that an IPv4-mapped one stands for; any other address itself. */
  unmapped(): IpAddress {
    return this.isMapped() ? new IpAddress(4, this.value & 0xffff_ffffn, '') : this;
  }

  /** `0.0.0.0` and `::`. */
  isUnspecified(): boolean {
    return this.value === 0n;
  }

  isLoopback(): boolean {
    const ip = this.unmapped();
    return ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n;
  }

  isMulticast(): boolean {
    const ip = this.unmapped();
    return ip.family === 4 ? ip.value >> 28n === 0xen : ip.value >> 120n === 0xffn;
  }

  isLinkLocalMulticast(): boolean {
    const ip = this.unmapped();
    return ip.family === 4
      ? ip.value >> 8n === 0xe0_0000n
      : ((ip.value >> 112n) & 0xff0fn) === 0xff02n;
  }

  isLinkLocalUnicast(): boolean {
    const ip = this.unmapped();
    return ip.family === 4 ? ip.value >> 16n === 0xa9fen : ip.value >> 118n === 0xfe80n >> 6n;
  }

  /** Everything but unspecified, broadcast, loopback, multicast and link-local; private ones count. */
  isGlobalUnicast(): boolean {
    const ip = this.unmapped();
    const isBroadcast = ip.family === 4 && ip.value === 0xffff_ffffn;
    return (
      !ip.isUnspecified() &&
      !isBroadcast &&
      !ip.isLoopback() &&
      !ip.isMulticast() &&
      !ip.isLinkLocalUnicast()
    );
  }
}

/**
 * An address with the length of its network part: `10.1.2.3/8`. The bits behind
 * the prefix may be set, see {@link masked}. Immutable; zones are never allowed.
 */
export class IpPrefix {
  readonly address: IpAddress;
  readonly length: number;

  private constructor(address: IpAddress, length: number) {
    this.address = address;
    this.length = length;
  }

  /** Undefined when the string is not a CIDR block; the length has no sign and no leading zero. */
  static parse(text: string): IpPrefix | undefined {
    const slash = text.lastIndexOf('/');
    if (slash < 0 || !PREFIX_LENGTH.test(text.slice(slash + 1))) return undefined;
    const address = IpAddress.parse(text.slice(0, slash));
    const length = Number(text.slice(slash + 1));
    return address === undefined ? undefined : IpPrefix.of(address, length);
  }

  static of(address: IpAddress, length: number): IpPrefix | undefined {
    const fits = Number.isInteger(length) && length >= 0 && length <= bitsOf(address.family);
    return fits && address.zone === '' ? new IpPrefix(address, length) : undefined;
  }

  get family(): IpFamily {
    return this.address.family;
  }

  canonical(): string {
    return `${this.address.canonical()}/${this.length}`;
  }

  toString(): string {
    return this.canonical();
  }

  equals(other: IpPrefix): boolean {
    return this.length === other.length && this.address.equals(other.address);
  }

  /** The block itself, without bits behind the prefix: `10.1.2.3/8` → `10.0.0.0/8`. */
  masked(): IpPrefix {
    return new IpPrefix(this.first(), this.length);
  }

  isMasked(): boolean {
    return this.first().value === this.address.value;
  }

  /** The lowest address of the block. */
  first(): IpAddress {
    return this.#withHostBits(0n);
  }

  /** The highest address of the block. */
  last(): IpAddress {
    return this.#withHostBits((1n << this.#hostBits()) - 1n);
  }

  /** Families never match each other, and an IPv4-mapped address lies in no IPv4 block. */
  contains(address: IpAddress): boolean {
    const bits = this.#hostBits();
    return (
      address.family === this.family &&
      address.zone === '' &&
      address.value >> bits === this.address.value >> bits
    );
  }

  /** True when every address of the other block lies in this one. */
  containsPrefix(other: IpPrefix): boolean {
    return other.length >= this.length && this.contains(other.address);
  }

  overlaps(other: IpPrefix): boolean {
    return this.containsPrefix(other) || other.containsPrefix(this);
  }

  #hostBits(): bigint {
    return BigInt(bitsOf(this.family) - this.length);
  }

  #withHostBits(host: bigint): IpAddress {
    const bits = this.#hostBits();
    const value = ((this.address.value >> bits) << bits) | host;
    return IpAddress.of(this.family, value) ?? this.address;
  }
}

function parseAddress(text: string, zone: string): IpAddress | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined;
  if (!text.includes(':')) {
    const value = parseDotted(text);
    return value === undefined ? undefined : IpAddress.of(4, value);
  }
  const gap = text.indexOf('::');
  if (gap !== text.lastIndexOf('::')) return undefined; // two gaps, or three colons
  const head = gap < 0 ? text : text.slice(0, gap);
  const tail = gap < 0 ? '' : text.slice(gap + 2);
  const left = parseGroups(head, gap < 0);
  const right = parseGroups(tail, true);
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - (left.length + right.length) / 4;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined; // a gap stands for one group at least
  return IpAddress.of(6, BigInt(`0x${left}${'0000'.repeat(missing)}${right}`), zone);
}

/** Groups as hexadecimal digits, four for each; the very last one of an address may be four decimals. */
function parseGroups(text: string, mayEndDotted: boolean): string | undefined {
  if (text === '') return '';
  const groups = text.split(':');
  let hex = '';
  for (const [i, group] of groups.entries()) {
    if (GROUP.test(group)) {
      hex += group.padStart(4, '0');
      continue;
    }
    const value = mayEndDotted && i === groups.length - 1 ? parseDotted(group) : undefined;
    if (value === undefined) return undefined;
    hex += value.toString(16).padStart(8, '0');
  }
  return hex;
}

function parseDotted(text: string): bigint | undefined {
  const match = IPV4.exec(text);
  if (match === null) return undefined;
  let value = 0;
  for (const octet of match.slice(1)) {
    if (Number(octet) > 255) return undefined;
    value = value * 256 + Number(octet);
  }
  return BigInt(value);
}

function dotted(value: bigint): string {
  const n = Number(value);
  return `${Math.floor(n / 2 ** 24)}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`;
}

/** RFC 5952: lower case, no leading zeros, the first of the longest runs of zero groups as `::`. */
function compressed(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  const groups = Array.from({ length: 8 }, (_, i) =>
    Number.parseInt(hex.slice(4 * i, 4 * i + 4), 16).toString(16),
  );
  let start = 0;
  let length = 1; // a single zero group is not worth a gap
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (groups[end] === '0') end++;
    if (end - i > length) [start, length] = [i, end - i];
    if (end > i) i = end;
  }
  if (length === 1) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
