import type { Extension } from '../../admission/decisions.ts';
import type { Clock } from '../../api/clock.ts';
import type { ApiObject } from '../../api/object.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';
import type { WebhookValue } from '../../resources/admissionregistration/webhook.ts';
import type { Replica } from '../../watch/replica.ts';
import { AdmissionActivity, keyOf } from './activity.ts';
import { FollowedList } from './followed-list.ts';

const PLURALS: readonly (readonly [plural: string, kind: Extension['kind']])[] = [
  ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
  ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
  ['mutatingadmissionpolicies', 'MutatingAdmissionPolicy'],
  ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy'],
];

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
  const lists = PLURALS.map(
    ([resource, kind]) =>
      new FollowedList({
        replica,
        resource: { group: ADMISSIONREGISTRATION_GROUP, resource },
        compile: (object) => keysOf(kind, object),
        onProblem,
      }),
  );
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

function keysOf(
  kind: Extension['kind'],
  { metadata, webhooks }: ApiObject & { readonly webhooks?: readonly WebhookValue[] },
): readonly string[] {
  const { uid = '' } = metadata;
  if (kind.endsWith('Policy')) return [keyOf({ kind, uid, webhook: '' })];
  return (webhooks ?? []).map(({ name }) => keyOf({ kind, uid, webhook: name }));
}
