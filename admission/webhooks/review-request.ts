import type { JsonObject } from '../../api/json.ts';
import { aliasGroup, isAlias } from '../../api/naming.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { requestValues } from '../expressions/request-values.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { ReviewedObjects } from '../shown-request.ts';
import type { ReviewVersion } from './webhook.ts';

export const REVIEW_GROUP = 'admission.cluster.io';
/** What Kubernetes calls it; webhooks that were written for it answer so. */
export const KUBERNETES_REVIEW_GROUP = aliasGroup(REVIEW_GROUP);

/**
 * What is sent to a webhook (behaviours 8.2). The same for both versions but for
 * its type; a rule that names its group by the alias is asked in Kubernetes' names.
 */
export function reviewRequest(
  version: ReviewVersion,
  uid: string,
  attributes: AdmissionAttributes,
  matched: ResourceVersion,
  { object, oldObject }: ReviewedObjects,
): JsonObject {
  const { userInfo = {}, dryRun, options, ...rest } = requestValues(attributes, matched);
  return {
    kind: 'AdmissionReview',
    apiVersion: `${isAlias(matched.resource.group) ? KUBERNETES_REVIEW_GROUP : REVIEW_GROUP}/${version}`,
    request: {
      uid,
      ...rest,
      userInfo,
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: dryRun ?? false,
      options: options ?? null,
    },
  };
}
