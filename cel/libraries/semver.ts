import { SemVer } from '../../api/semver.ts';
import { constantEstimate } from '../cost/estimators.ts';
import {
  declareFunction,
  globalOverload,
  memberOverload,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import { BOOL, INT, STRING, structType, type Typed } from '../value/type.ts';
import { intOf } from '../value/int.ts';
import { CelError, CelObject, type CelValue } from '../value/value.ts';
import { walking } from './ip.ts';
import type { Library } from './library.ts';
import type { CelType } from '../value/cel-type.ts';

const SEMVER_TYPE: Typed<CelSemver> = structType('kubernetes.Semver');

class CelSemver extends CelObject {
  override readonly type = SEMVER_TYPE;
  readonly version: SemVer;

  constructor(version: SemVer) {
    super();
    this.version = version;
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelSemver && this.version.compare(other.version) === 0;
  }
}

function parse(text: string, normalize: boolean): SemVer | undefined {
  return normalize ? SemVer.parseTolerant(text) : SemVer.parse(text);
}

function fromString(text: string, normalize = false): CelValue {
  const version = parse(text, normalize);
  if (version !== undefined) return new CelSemver(version);
  return new CelError(`${JSON.stringify(text)} is not a semantic version`);
}

const nominal = { estimate: constantEstimate };

function part(name: string, get: (version: SemVer) => bigint): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      `semver_${name}`,
      [SEMVER_TYPE],
      INT,
      ({ version }) => intOf(BigInt.asIntN(64, get(version))),
      nominal,
    ),
  );
}

function comparison(
  name: string,
  id: string,
  result: CelType,
  compare: (a: SemVer, b: SemVer) => CelValue,
): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      id,
      [SEMVER_TYPE, SEMVER_TYPE],
      result,
      (a, b) => compare(a.version, b.version),
      nominal,
    ),
  );
}

/** Semantic versions. */
export const SEMVER_LIBRARY: Library = {
  functions: [
    declareFunction(
      'semver',
      globalOverload(
        'string_to_semver',
        [STRING],
        SEMVER_TYPE,
        (text) => fromString(text),
        walking(),
      ),
      globalOverload('string_bool_to_semver', [STRING, BOOL], SEMVER_TYPE, fromString, walking()),
    ),
    declareFunction(
      'isSemver',
      globalOverload(
        'is_semver_string',
        [STRING],
        BOOL,
        (text) => parse(text, false) !== undefined,
        walking(),
      ),
      globalOverload(
        'is_semver_string_bool',
        [STRING, BOOL],
        BOOL,
        (text, normalize) => parse(text, normalize) !== undefined,
        walking(),
      ),
    ),
    comparison('isGreaterThan', 'semver_is_greater_than', BOOL, (a, b) => a.isGreaterThan(b)),
    comparison('isLessThan', 'semver_is_less_than', BOOL, (a, b) => a.isLessThan(b)),
    comparison('compareTo', 'semver_compare_to', INT, (a, b) => a.compare(b)),
    part('major', ({ major }) => major),
    part('minor', ({ minor }) => minor),
    part('patch', ({ patch }) => patch),
  ],
};
