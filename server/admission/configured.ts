import type { Extension } from '../../admission/decisions.ts';
import type { Clock } from '../../api/clock.ts';
import type { ApiObject } from '../../api/object.ts';
import {
  mutatingAdmissionPolicySchema,
  validatingAdmissionPolicySchema,
} from '../../resources/admissionregistration/policy-schema.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
  type WebhookConfiguration,
} from '../../resources/admissionregistration/webhook-schema.ts';
import type { ObjectSchema } from '../../resources/object-of.ts';
import type { Replica } from '../../watch/replica.ts';
import { AdmissionActivity, keyOf } from './activity.ts';
import { FollowedList } from './followed-list.ts';

/** Counts what the webhooks and policies match that the replica holds. */
export function admissionActivity(
  replica: Replica,
  clock: Clock,
  onProblem: (message: string, error?: unknown) => void,
): AdmissionActivity {
  return new AdmissionActivity({ configured: configuredExtensions(replica, onProblem), clock });
}

/** The webhooks and policies that the replica holds, in force or not; the same set until something changes. */
function configuredExtensions(
  replica: Replica,
  onProblem: (message: string, error?: unknown) => void,
): () => ReadonlySet<string> {
  const follow = <O extends ApiObject>(
    resource: string,
    schema: ObjectSchema<O>,
    compile: (object: O) => readonly string[],
  ): FollowedList<O, readonly string[]> =>
    new FollowedList({
      replica,
      resource: { group: ADMISSIONREGISTRATION_GROUP, resource },
      schema,
      compile,
      onProblem,
    });
  const lists = [
    follow(
      'mutatingwebhookconfigurations',
      mutatingWebhookConfigurationSchema,
      webhookKeys('MutatingWebhookConfiguration'),
    ),
    follow(
      'validatingwebhookconfigurations',
      validatingWebhookConfigurationSchema,
      webhookKeys('ValidatingWebhookConfiguration'),
    ),
    follow(
      'mutatingadmissionpolicies',
      mutatingAdmissionPolicySchema,
      policyKey('MutatingAdmissionPolicy'),
    ),
    follow(
      'validatingadmissionpolicies',
      validatingAdmissionPolicySchema,
      policyKey('ValidatingAdmissionPolicy'),
    ),
  ];
  let madeFrom: readonly (readonly (readonly string[])[])[] = [];
  let keys: ReadonlySet<string> = new Set();
  return () => {
    const now = lists.map((list) => list.current());
    if (now.some((list, i) => list !== madeFrom[i])) {
      madeFrom = now;
      keys = new Set(now.flat(2));
    }
    return keys;
  };
}

function webhookKeys(
  kind: Extension['kind'],
): (configuration: WebhookConfiguration) => readonly string[] {
  return ({ metadata: { uid = '' }, webhooks }) =>
    (webhooks ?? []).map(({ name }) => keyOf({ kind, uid, webhook: name }));
}

function policyKey(kind: Extension['kind']): (policy: ApiObject) => readonly string[] {
  return ({ metadata: { uid = '' } }) => [keyOf({ kind, uid, webhook: '' })];
}
