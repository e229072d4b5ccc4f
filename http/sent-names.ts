import { getOwn, isObject, type JsonValue } from '../api/json.ts';

/** By what an object in a body is known; empty where it does not say. */
export interface SentNames {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Read at once, because the registry changes the object afterwards. */
export function sentNames(object: JsonValue): SentNames {
  const metadata = isObject(object) ? getOwn(object, 'metadata') : undefined;
  const text = (key: string): string => {
    const value = metadata !== undefined && isObject(metadata) ? getOwn(metadata, key) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return {
    namespace: text('namespace'),
    name: text('name'),
    uid: text('uid'),
    resourceVersion: text('resourceVersion'),
  };
}
