import { badRequest } from '../api/api-error.ts';
import type { ObjectMeta } from '../api/object.ts';
import type { Target } from './served-resource.ts';

/**
 * The object's namespace is that of the path; leaving it out is fine, another
 * one is not (behaviours 3.4).
 *
 * @throws ApiError 400
 */
export function fitNamespace(metadata: ObjectMeta, target: Target): void {
  const given = metadata.namespace ?? '';
  if (target.namespace === '') {
    fitOwnNamespace(given, target);
    delete metadata.namespace;
  } else if (given === '') metadata.namespace = target.namespace;
  else if (given !== target.namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}

/** The path of a Namespace stands in that namespace. */
function fitOwnNamespace(given: string, { resource, name }: Target): void {
  const { group, resource: plural } = resource.groupResource;
  if (group !== '' || plural !== 'namespaces' || name === '') return;
  if (given === '' || given === name) return;
  throw badRequest(
    `the namespace of the object (${given}) does not match the namespace on the request (${name})`,
  );
}

/**
 * The name in the body must be that of the path (behaviours 3.4).
 *
 * @throws ApiError 400
 */
export function fitName(metadata: ObjectMeta, name: string): void {
  const given = metadata.name ?? '';
  if (given === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    );
  }
}
