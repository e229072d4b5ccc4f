import { sameType } from '../value/type.ts';
import { REGEX_COST, STRING_COST } from '../value/size.ts';
import type { CallEstimate, CallSite, OperandNode } from '../types/call-estimate.ts';
import { regexEstimate } from './estimators.ts';
import { Range } from '../types/range.ts';
import { unionEntries, type EntrySizes } from './sizes.ts';

const ONE = Range.fixed(1);

interface StandardEstimate extends CallEstimate {
  /** Sizes of what is in the resulting list or map. */
  entries?: EntrySizes | undefined;
}

/** Cost of a call of the standard library, operands included. One step unless a rule says otherwise. */
export function standardCallCost(
  id: string,
  site: CallSite,
  argCosts: readonly Range[],
  entries: (arg: number) => EntrySizes | undefined,
): StandardEstimate {
  const operands = argCosts.reduce((sum, cost) => sum.add(cost), Range.zero);
  const [first = Range.zero, second = Range.zero, third = Range.zero] = argCosts;
  const size = (at: number): Range => sizeAt(site, site.args[at]);
  switch (id) {
    case 'logical_and':
    case 'logical_or':
      // The second operand may not be needed.
      return { cost: new Range(first.min, first.add(second).max) };
    case 'conditional':
      return {
        cost: first.add(second.union(third)),
        size: size(1).union(size(2)),
        entries: unionEntries(entries(1), entries(2)),
      };
    case 'add_string':
    case 'add_bytes': {
      const sum = size(0).add(size(1));
      return { cost: sum.scale(STRING_COST).add(operands), size: sum };
    }
    case 'add_list':
      return {
        cost: ONE.add(operands),
        size: size(0).add(size(1)),
        entries: unionEntries(entries(0), entries(1)),
      };
    default: {
      const own = walkingCost(id, site, size) ?? ONE;
      const result = resultSize(id, size);
      const cost = own.add(operands);
      return result === undefined ? { cost } : { cost, size: result };
    }
  }
}

function sizeAt(site: CallSite, operand: OperandNode | undefined): Range {
  return operand === undefined ? Range.unknown : site.sizeOf(operand);
}

/** Cost of calls that look at all of a string or list. */
function walkingCost(id: string, site: CallSite, size: (at: number) => Range): Range | undefined {
  const target = (): Range => sizeAt(site, site.target);
  switch (id) {
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'starts_with_string':
    case 'ends_with_string':
    case 'strings_quote':
      return size(0).scale(STRING_COST);
    case 'in_list':
      return size(1);
    case 'matches_string':
      return regexEstimate(target(), size(0));
    case 'matches':
      return size(0).add(ONE).scale(STRING_COST).multiply(size(1).scale(REGEX_COST));
    case 'contains_string':
      return target().scale(STRING_COST).multiply(size(0).scale(STRING_COST));
    default:
      return /^(equals|not_equals|(less|greater)(_equals)?_(string|bytes))$/.test(id)
        ? comparisonCost(id, site, size)
        : undefined;
  }
}

/** Comparing stops where the shorter value ends. */
function comparisonCost(id: string, site: CallSite, size: (at: number) => Range): Range {
  const [a, b] = site.args;
  if (id === 'equals' && a !== undefined && b !== undefined && sameType(a.type, b.type)) {
    const special = SPECIAL_EQUALITY.get(a.type.name);
    if (special !== undefined) return special(size(1));
  }
  const left = size(0);
  const right = size(1);
  const max = left.max < right.max ? left.max : right.max;
  return new Range(max > 0n ? 1n : 0n, max).scale(STRING_COST);
}

/** Names of formats are short. */
const MAX_FORMAT_NAME = 64n;

const unit = (): Range => ONE;

/** Types of libraries whose values compare in few steps. */
const SPECIAL_EQUALITY: ReadonlyMap<string, (size: Range) => Range> = new Map([
  ['net.IP', unit],
  ['net.CIDR', unit],
  ['kubernetes.Quantity', unit],
  ['kubernetes.Semver', unit],
  ['kubernetes.authorization.Authorizer', unit],
  ['kubernetes.authorization.PathCheck', unit],
  ['kubernetes.authorization.GroupCheck', unit],
  ['kubernetes.authorization.ResourceCheck', unit],
  ['kubernetes.authorization.Decision', unit],
  ['kubernetes.NamedFormat', () => new Range(1n, MAX_FORMAT_NAME).scale(STRING_COST)],
  [
    'kubernetes.URL',
    (size: Range) =>
      new Range(1n, size.max === Range.unknown.max ? 1n : size.max).scale(STRING_COST),
  ],
]);

/** The longest texts of values that have no size of their own, in characters. */
const TEXT_SIZES: ReadonlyMap<string, Range> = new Map([
  ['bool_to_string', new Range(4n, 5n)],
  ['int64_to_string', new Range(1n, 20n)],
  ['uint64_to_string', new Range(1n, 20n)],
  ['double_to_string', new Range(1n, 24n)],
  ['duration_to_string', new Range(2n, 22n)],
  ['timestamp_to_string', new Range(20n, 30n)],
  ['ip_to_string', new Range(2n, 39n)],
  ['cidr_to_string', new Range(4n, 43n)],
]);

/** A character takes up to four bytes. */
function resultSize(id: string, size: (at: number) => Range): Range | undefined {
  const text = TEXT_SIZES.get(id);
  if (text !== undefined) return text;
  switch (id) {
    case 'string_to_string':
      return size(0);
    case 'string_to_bytes':
      return size(0).multiply(new Range(1n, 4n));
    case 'bytes_to_string':
      return new Range(size(0).min / 4n, size(0).max);
    case 'strings_quote':
      return size(0).multiply(new Range(1n, 2n)).add(Range.fixed(2));
    default:
      return undefined;
  }
}
