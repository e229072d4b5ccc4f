import { int32, list, string, struct, use } from '../../schema/dsl.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { Typed, ValueOf } from '../../schema/shape.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { webhookClientConfig } from '../webhook-client.ts';
import { FAILURE_POLICIES, MATCH_POLICIES, REINVOCATION_POLICIES } from './fixed-words.ts';
import { matchConditions } from './match-conditions.ts';
import { ruleFields } from './rules.ts';

const GROUP = 'io.cluster.admissionregistration.v1';
export const DEFAULT_TIMEOUT_SECONDS = 10;

const RuleWithOperations = struct(`${GROUP}.RuleWithOperations`, ruleFields, {
  description: 'Operations and resources that a webhook cares about.',
  numbers: {
    operations: 1,
    apiGroups: [2, 1],
    apiVersions: [2, 2],
    resources: [2, 3],
    scope: [2, 4],
  },
});

/** Source of the fields: specification 3, section 2.3. */
const webhookFields = {
  name: string({
    required: true,
    description:
      'A name with the domain of its owner, such as `check.example.com`; unique in the configuration.',
  }),
  clientConfig: use(webhookClientConfig(GROUP), {
    required: true,
    description: 'How to reach the webhook.',
  }),
  rules: list(RuleWithOperations, {
    listType: 'atomic',
    description:
      'Requests that the webhook is called for: those that any of the rules matches. Requests about webhook configurations themselves never are.',
  }),
  failurePolicy: string({
    pointer: true,
    enum: FAILURE_POLICIES,
    default: 'Fail',
    description: 'What a failed call means: Fail refuses the request, Ignore goes on without it.',
  }),
  matchPolicy: string({
    pointer: true,
    enum: MATCH_POLICIES,
    default: 'Equivalent',
    description:
      'Exact: only requests that are literally in the rules. Equivalent: also those that come through another group or version of a resource in the rules, converted.',
  }),
  namespaceSelector: use(LabelSelector, {
    pointer: true,
    description:
      'Calls the webhook by the labels of the namespace that the object is in; for a Namespace by its own. Other objects of the cluster are never left out. Empty matches all.',
  }),
  objectSelector: use(LabelSelector, {
    pointer: true,
    description:
      'Calls the webhook by the labels of the object, new or old. An object that is not there, or cannot have labels, does not match. Users can escape it by setting labels. Empty matches all.',
  }),
  sideEffects: string({
    required: true,
    pointer: true,
    enum: ['None', 'NoneOnDryRun'],
    description:
      'None, or NoneOnDryRun when the webhook leaves out its side effects for dry runs. Some and Unknown remain from v1beta1; dry runs that would call such a webhook are refused.',
  }),
  timeoutSeconds: int32({
    pointer: true,
    default: DEFAULT_TIMEOUT_SECONDS,
    description: 'How long a call may take, from 1 to 30 seconds. Then failurePolicy decides.',
  }),
  admissionReviewVersions: list(string(), {
    required: true,
    listType: 'atomic',
    description:
      'Versions of the AdmissionReview that the webhook takes, preferred ones first. The first that the server knows is sent.',
  }),
  matchConditions,
};

function webhookList<S extends StructuralSchema>(item: S): Typed<ValueOf<S>[], 'nothing'> {
  return list(item, {
    listType: 'map',
    listMapKeys: ['name'],
    patchStrategy: 'merge',
    patchMergeKey: 'name',
    description: 'The webhooks, with what they care about.',
  });
}

export const validatingWebhookConfigurationSchema = kind(
  `${GROUP}.ValidatingWebhookConfiguration`,
  {
    webhooks: webhookList(
      struct(`${GROUP}.ValidatingWebhook`, webhookFields, {
        description: 'A webhook that accepts requests or refuses them.',
        numbers: {
          name: 1,
          clientConfig: 2,
          rules: 3,
          failurePolicy: 4,
          namespaceSelector: 5,
          sideEffects: 6,
          timeoutSeconds: 7,
          admissionReviewVersions: 8,
          matchPolicy: 9,
          objectSelector: 10,
          matchConditions: 11,
        },
      }),
    ),
  },
  {
    description: 'Admission webhooks that accept or refuse requests and change nothing.',
    numbers: { webhooks: 2 },
  },
);

const MutatingWebhook = struct(
  `${GROUP}.MutatingWebhook`,
  {
    ...webhookFields,
    reinvocationPolicy: string({
      pointer: true,
      enum: REINVOCATION_POLICIES,
      default: 'Never',
      description:
        'Never: called once for a request at most. IfNeeded: called again when something else changed the object after its call; then it must be idempotent. How often is not promised.',
    }),
  },
  {
    description: 'A webhook that may change the object of a request, or refuse it.',
    numbers: {
      name: 1,
      clientConfig: 2,
      rules: 3,
      failurePolicy: 4,
      namespaceSelector: 5,
      sideEffects: 6,
      timeoutSeconds: 7,
      admissionReviewVersions: 8,
      matchPolicy: 9,
      reinvocationPolicy: 10,
      objectSelector: 11,
      matchConditions: 12,
    },
  },
);

/** A webhook of either kind; reinvocationPolicy is there on mutating ones only. */
export type WebhookValue = ValueOf<typeof MutatingWebhook>;

export const mutatingWebhookConfigurationSchema = kind(
  `${GROUP}.MutatingWebhookConfiguration`,
  {
    webhooks: webhookList(MutatingWebhook),
  },
  {
    description: 'Admission webhooks that may change the objects of requests.',
    numbers: { webhooks: 2 },
  },
);

/** A configuration of either kind. */
export type WebhookConfiguration = ValueOf<typeof mutatingWebhookConfigurationSchema>;
