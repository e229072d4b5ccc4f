import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { configMapKeyErrors } from '../../api/names.ts';
import { SemVer } from '../../api/semver.ts';
import { microTime, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateImmutable } from '../immutable.ts';
import { OLDEST_EMULATION_VERSION, validateStrategy } from './strategy.ts';

type LeaseCandidate = ValueOf<typeof leaseCandidateSchema>;

const Spec = struct(
  'io.cluster.coordination.v1beta1.LeaseCandidateSpec',
  {
    leaseName: string({
      required: true,
      description: 'The Lease that the candidate stands for. Never changed.',
    }),
    pingTime: microTime({
      pointer: true,
      description:
        'When the server last asked the candidate to renew. Only during an election, to find candidates that are gone; it is also set now and then so that living ones are not collected.',
    }),
    renewTime: microTime({
      pointer: true,
      description:
        'When the candidate last renewed. Candidates that have not for some hours are removed.',
    }),
    binaryVersion: string({
      required: true,
      description: 'The version of the binary: a semantic version, without a `v` before it.',
    }),
    emulationVersion: string({
      description:
        'The version that it behaves like: a semantic version, not above binaryVersion. Needed with the strategy OldestEmulationVersion.',
    }),
    strategy: string({
      required: true,
      description:
        'How the leader is to be chosen. When candidates differ, the one with the newest binaryVersion decides; when that is inconclusive, no candidate is elected.',
    }),
  },
  {
    numbers: {
      leaseName: 1,
      pingTime: 2,
      renewTime: 3,
      binaryVersion: 4,
      emulationVersion: 5,
      strategy: 6,
    },
  },
);

export const leaseCandidateSchema = kind(
  'io.cluster.coordination.v1beta1.LeaseCandidate',
  { spec: use(Spec, { description: 'What the candidate stands for, and what it is.' }) },
  {
    description: 'A candidate for a Lease, from which coordinated election picks the leader.',
    numbers: { spec: 2 },
  },
);

const SPEC = FieldPath.of('spec');

/** Source: specification 1, section 2.6; behaviours 9.7. */
function validate(object: LeaseCandidate): FieldError[] {
  const { leaseName, binaryVersion, emulationVersion = '', strategy } = object.spec;
  const errors: FieldError[] = [];
  if (leaseName === '') errors.push(fieldError.required(SPEC.child('leaseName')));
  if (binaryVersion === '') errors.push(fieldError.required(SPEC.child('binaryVersion')));
  errors.push(...validateVersions(binaryVersion, emulationVersion));
  if (strategy === '') return [...errors, fieldError.required(SPEC.child('strategy'))];
  if (strategy === OLDEST_EMULATION_VERSION && isZero(SemVer.parse(emulationVersion))) {
    const why = `must be specified when \`strategy\` is '${OLDEST_EMULATION_VERSION}'`;
    errors.push(fieldError.required(SPEC.child('emulationVersion'), why));
  }
  return [...errors, ...validateStrategy(SPEC.child('strategy'), strategy)];
}

function validateVersions(binaryVersion: string, emulationVersion: string): FieldError[] {
  const binary = SemVer.parse(binaryVersion);
  const emulation = SemVer.parse(emulationVersion);
  const errors: FieldError[] = [];
  const wrong = (field: string, value: string, why: string): void => {
    errors.push(fieldError.invalid(SPEC.child(field), value, why));
  };
  const NO_VERSION = 'must be a valid semantic version';
  if (emulationVersion !== '' && emulation === undefined) {
    wrong('emulationVersion', emulationVersion, NO_VERSION);
  }
  if (binaryVersion !== '' && binary === undefined)
    wrong('binaryVersion', binaryVersion, NO_VERSION);
  // the reference takes a version that it cannot read for 0.0.0, and goes on
  const isBelow = (binary ?? SemVer.zero).isLessThan(emulation ?? SemVer.zero);
  if (binaryVersion !== '' && emulationVersion !== '' && isBelow) {
    wrong('binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`');
  }
  return errors;
}

/** 0.0.0 is what the reference holds where no version is given, so that it counts as none. */
function isZero(version: SemVer | undefined): boolean {
  return version === undefined || version.compare(SemVer.zero) === 0;
}

/** Source: specification 1, section 2.6; behaviours 9.0 and 9.7. */
export const leaseCandidateDefinition: ResourceDefinition = builtinDefinition({
  group: 'coordination.cluster.io',
  version: 'v1beta1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  namespaced: true,
  deprecation:
    'coordination.cluster.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+',
  schema: leaseCandidateSchema,
  strategy: {
    // capitals and underscores are fine: candidates are named after hosts and processes
    validateName: (name) => configMapKeyErrors(name),
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate,
    validateUpdate: (object, old) => [
      ...validate(object),
      ...validateImmutable(SPEC.child('leaseName'), object.spec.leaseName, old.spec.leaseName),
    ],
  },
  columns: [
    nameColumn,
    pathColumn('LeaseName', 'The Lease that the candidate stands for.', 'spec', 'leaseName'),
    pathColumn('BinaryVersion', 'The version of the binary.', 'spec', 'binaryVersion'),
    pathColumn('EmulationVersion', 'The version it behaves like.', 'spec', 'emulationVersion'),
    ageColumn,
  ],
});
