import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { int32, microTime, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import type { FeatureGates } from '../feature-gates.ts';
import { validateStrategy } from './strategy.ts';

type Lease = ValueOf<typeof schema>;

const LeaseSpecSchema = struct(
  'io.cluster.coordination.v1.LeaseSpec',
  {
    holderIdentity: string({
      pointer: true,
      description:
        'Who holds the lease. In coordinated leader election the name of the LeaseCandidate that was elected.',
    }),
    leaseDurationSeconds: int32({
      pointer: true,
      description:
        'How long candidates wait, from the last renewTime that they saw, before they take the lease by force.',
    }),
    acquireTime: microTime({ pointer: true, description: 'When the holder took the lease.' }),
    renewTime: microTime({ pointer: true, description: 'When the holder last renewed the lease.' }),
    leaseTransitions: int32({
      pointer: true,
      description: 'How often the lease went from one holder to another.',
    }),
    strategy: string({
      pointer: true,
      description:
        'How the leader is chosen. Without it the election is not coordinated. Alpha: needs the feature gate CoordinatedLeaderElection.',
    }),
    preferredHolder: string({
      pointer: true,
      description:
        'Tells the holder that another one suits better, and that it should yield. Only together with a strategy.',
    }),
  },
  {
    numbers: {
      holderIdentity: 1,
      leaseDurationSeconds: 2,
      acquireTime: 3,
      renewTime: 4,
      leaseTransitions: 5,
      strategy: 6,
      preferredHolder: 7,
    },
  },
);

const schema = kind(
  'io.cluster.coordination.v1.Lease',
  { spec: use(LeaseSpecSchema, { description: 'Who holds the lease, and until when.' }) },
  {
    description: 'Something that one holder has at a time, until it stops renewing it.',
    numbers: { spec: 2 },
  },
);

const SPEC = FieldPath.of('spec');

/** Source: specification 1, section 2.5; behaviours 9.5. */
function validate(object: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = object.spec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    const path = SPEC.child('leaseDurationSeconds');
    errors.push(fieldError.invalid(path, leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    const path = SPEC.child('leaseTransitions');
    errors.push(fieldError.invalid(path, leaseTransitions, 'must be greater than or equal to 0'));
  }
  if (strategy !== undefined) errors.push(...validateStrategy(SPEC.child('strategy'), strategy));
  if ((preferredHolder ?? '') !== '' && (strategy ?? '') === '') {
    const why = 'may only be specified if `strategy` is defined';
    errors.push(fieldError.forbidden(SPEC.child('preferredHolder'), why));
  }
  return errors;
}

/** Without the gate the fields of coordinated election are dropped, unless the object has them already. */
function dropUngated(object: Lease, old: Lease | undefined): void {
  const before = old?.spec;
  if (before?.strategy !== undefined || before?.preferredHolder !== undefined) return;
  const { spec } = object;
  delete spec.strategy;
  delete spec.preferredHolder;
}

/** Source: behaviours 9.0. */
export function leaseDefinition(gates: FeatureGates): ResourceDefinition {
  const isGated = !gates.CoordinatedLeaderElection;
  return builtinDefinition({
    group: 'coordination.cluster.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    schema,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: true,
      unconditionalUpdate: false,
      prepareForCreate(object) {
        if (isGated) dropUngated(object, undefined);
      },
      prepareForUpdate(object, old) {
        if (isGated) dropUngated(object, old);
      },
      validate,
      validateUpdate: validate,
    },
    columns: [
      nameColumn,
      pathColumn('Holder', 'Who holds the lease.', 'spec', 'holderIdentity'),
      ageColumn,
    ],
  });
}
