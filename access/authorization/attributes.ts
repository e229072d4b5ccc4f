import { parseFieldSelector } from '../../api/selectors/fields.ts';
import { pathSegmentNameErrors } from '../../api/names.ts';
import type { UserInfo } from '../../api/user.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import type { Query } from '../../api/query.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

const SELECTING_VERBS = ['list', 'watch', 'deletecollection'];

/** What a request asks for, as authorizers see it. */
export function attributesOf(
  info: RequestInfo,
  query: Query,
  user: UserInfo,
): AuthorizationAttributes {
  const selects = info.isResource && SELECTING_VERBS.includes(info.verb);
  const fieldSelector = selects ? (query.get('fieldSelector') ?? '') : '';
  return {
    user,
    // what combines several resources is read like a document; each resource is asked about apart
    verb: !info.isResource && SELECTING_VERBS.includes(info.verb) ? 'get' : info.verb,
    isResource: info.isResource,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name === '' ? selectedName(info, fieldSelector) : info.name,
    fieldSelector,
    labelSelector: selects ? (query.get('labelSelector') ?? '') : '',
  };
}

/**
 * A list or watch of one object by its name is about that name; a
 * deletecollection never is. Source: behaviours 10.5.
 */
function selectedName({ verb }: RequestInfo, fieldSelector: string): string {
  if (fieldSelector === '' || verb === 'deletecollection') return '';
  const parsed = parseFieldSelector(fieldSelector);
  if (!('selector' in parsed)) return '';
  const name = parsed.selector.requiresExactMatch('metadata.name') ?? '';
  return pathSegmentNameErrors(name).length === 0 ? name : '';
}
