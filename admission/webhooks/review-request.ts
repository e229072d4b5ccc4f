import { stringifyJson } from '../../api/json-write.ts';
import { stringifyLargeJson } from '../../api/json-write-steps.ts';
import type { JsonObject } from '../../api/json.ts';
import { aliasGroup, isAlias } from '../../api/naming.ts';
import { nextTurn } from '../../api/turn.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { requestValues } from '../expressions/request-values.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { ReviewedObjects } from '../shown-request.ts';
import type { ReviewVersion } from './webhook.ts';

/** Characters of objects that are sent without a turn of their own. */
const MAX_WITHOUT_TURN = 64 * 1024;

/** What a webhook is shown. */
interface Reviewed {
  readonly attributes: AdmissionAttributes;
  readonly matched: ResourceVersion;
  readonly objects: ReviewedObjects;
  readonly texts: ReviewTexts;
}

export const REVIEW_GROUP = 'admission.cluster.io';
/** What Kubernetes calls it; webhooks that were written for it answer so. */
export const KUBERNETES_REVIEW_GROUP = aliasGroup(REVIEW_GROUP);

/**
 * What is sent to a webhook (behaviours 8.2). The same for both versions but for
 * its type; a rule that names its group by the alias is asked in Kubernetes' names.
 * A large review has a turn of the event loop of its own.
 */
export async function reviewRequest(
  version: ReviewVersion,
  uid: string,
  { attributes, matched, objects, texts }: Reviewed,
): Promise<string> {
  const { userInfo = {}, dryRun, options, ...rest } = requestValues(attributes, matched);
  const object = await texts.of(objects.object);
  const oldObject = await texts.of(objects.oldObject);
  if (object.length + oldObject.length > MAX_WITHOUT_TURN) await nextTurn();
  const head = stringifyJson({
    kind: 'AdmissionReview',
    apiVersion: `${isAlias(matched.resource.group) ? KUBERNETES_REVIEW_GROUP : REVIEW_GROUP}/${version}`,
    request: { uid, ...rest, userInfo },
  }).slice(0, -'}}'.length);
  const tail = stringifyJson({ dryRun: dryRun ?? false, options: options ?? null }).slice(1);
  return `${head},"object":${object},"oldObject":${oldObject},${tail}}`;
}

/** JSON of the objects of one request, which several webhooks are shown: each is written once. */
export class ReviewTexts {
  readonly #texts = new Map<JsonObject, Promise<string>>();

  of(object: JsonObject | undefined): Promise<string> {
    if (object === undefined) return Promise.resolve('null');
    const text = this.#texts.get(object) ?? stringifyLargeJson(object);
    this.#texts.set(object, text);
    return text;
  }
}
