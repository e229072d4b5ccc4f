/** Numbers of a version have 64 bits. */
const MAX_NUMBER = 2n ** 64n - 1n;
const NUMBER = /^(0|[1-9]\d*)$/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;
const ALL_DIGITS = /^\d+$/;

/**
 * A semantic version by semver.org 2.0.0, without a `v` before it. Immutable.
 * Own code rather than the semver package, which takes `v1.2.3`, refuses
 * numbers beyond 2^53 and texts over 256 characters.
 */
export class SemVer {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Identifiers of a pre-release, numeric ones as numbers; empty for a release. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];

  private constructor(
    [major, minor, patch]: readonly [bigint, bigint, bigint],
    prerelease: readonly (bigint | string)[],
    build: readonly string[],
  ) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.prerelease = prerelease;
    this.build = build;
  }

  static readonly zero = new SemVer([0n, 0n, 0n], [], []);

  /** Undefined when the string is not a version: three numbers without leading zeros, then `-…`, then `+…`. */
  static parse(text: string): SemVer | undefined {
    const [beforeBuild, build] = cut(text, '+');
    const [core, prerelease] = cut(beforeBuild, '-');
    const parts = core.split('.', 4);
    const [major, minor, patch] = parts.map(number);
    if (parts.length !== 3) return undefined;
    if (major === undefined || minor === undefined || patch === undefined) return undefined;
    const labels = prerelease === undefined ? [] : prerelease.split('.').map(label);
    const builds = build === undefined ? [] : build.split('.');
    if (labels.includes(undefined) || !builds.every((b) => IDENTIFIER.test(b))) return undefined;
    return new SemVer([major, minor, patch], labels as (bigint | string)[], builds);
  }

  /** As {@link parse}, but `v1`, `1.2` and `01.2.3` are versions too: CEL's `semver(text, true)`. */
  static parseTolerant(text: string): SemVer | undefined {
    const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
    const parts = [major, ...(minor === undefined ? [] : [minor])];
    if (rest.length > 0) parts.push(rest.join('.'));
    // a short version has nothing behind its numbers
    if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
    const numbers = parts.map((part) => part.replace(/^0+(?=\d)/, ''));
    while (numbers.length < 3) numbers.push('0');
    return SemVer.parse(numbers.join('.'));
  }

  /** Precedence by semver.org section 11; build metadata does not count. */
  compare(other: SemVer): -1 | 0 | 1 {
    return (
      order(this.major, other.major) ||
      order(this.minor, other.minor) ||
      order(this.patch, other.patch) ||
      comparePrerelease(this.prerelease, other.prerelease)
    );
  }

  isLessThan(other: SemVer): boolean {
    return this.compare(other) < 0;
  }

  isGreaterThan(other: SemVer): boolean {
    return this.compare(other) > 0;
  }

  toString(): string {
    const prerelease = this.prerelease.length === 0 ? '' : `-${this.prerelease.join('.')}`;
    const build = this.build.length === 0 ? '' : `+${this.build.join('.')}`;
    return `${this.major}.${this.minor}.${this.patch}${prerelease}${build}`;
  }
}

/** What stands before and behind the first `at`; undefined behind it when there is none. */
function cut(text: string, at: string): [string, string | undefined] {
  const i = text.indexOf(at);
  return i < 0 ? [text, undefined] : [text.slice(0, i), text.slice(i + 1)];
}

function number(text: string): bigint | undefined {
  if (text.length > 20 || !NUMBER.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_NUMBER ? value : undefined;
}

function label(text: string): bigint | string | undefined {
  if (ALL_DIGITS.test(text)) return number(text);
  return IDENTIFIER.test(text) ? text : undefined;
}

/** A release comes after its pre-releases; numbers before words; the longer of two equal ones after. */
function comparePrerelease(
  a: readonly (bigint | string)[],
  b: readonly (bigint | string)[],
): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return order(b.length, a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x = '', y = ''] = [a[i], b[i]];
    const isWordX = typeof x === 'string';
    if (isWordX !== (typeof y === 'string')) return isWordX ? 1 : -1;
    const difference = order(x, y);
    if (difference !== 0) return difference;
  }
  return order(a.length, b.length);
}

function order<T extends bigint | string | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
