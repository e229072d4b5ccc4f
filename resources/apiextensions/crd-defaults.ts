import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { textAt } from '../columns.ts';
import { defaultClientConfig } from '../webhook-client.ts';

/**
 * Fills in what a definition does not say; in place, and idempotent.
 * Source: specification 3, section 2.1; behaviours 7.1.
 */
export function crdDefaults(object: JsonObject): void {
  const spec = getOwn(object, 'spec');
  const status = getOwn(object, 'status');
  if (!isObject(spec) || !isObject(status)) return;
  const names = getOwn(spec, 'names');
  if (isObject(names)) defaultNames(names);
  const conversion = (spec['conversion'] ??= { strategy: 'None' });
  if (isObject(conversion) && isObject(conversion['webhook'])) {
    defaultClientConfig(conversion['webhook']['clientConfig']);
  }
  if (isEmpty(status['storedVersions'])) {
    const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
    const storage = versions.find((version) => version['storage'] === true);
    if (storage !== undefined) status['storedVersions'] = [textAt(storage, 'name')];
  }
}

function defaultNames(names: JsonObject): void {
  const kind = textAt(names, 'kind');
  if (kind === '') return;
  names['singular'] ??= kind.toLowerCase();
  names['listKind'] ??= `${kind}List`;
}

function isEmpty(list: unknown): boolean {
  return !Array.isArray(list) || list.length === 0;
}
