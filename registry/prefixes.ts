import { CRD_GROUP, CRD_PLURAL } from '../resources/apiextensions/crd-types.ts';
import { resourcePrefix } from '../storage/keys.ts';

/** Where the objects are stored that other objects need: what is in a namespace, and custom objects. */
export const NAMESPACES_PREFIX = resourcePrefix({ group: '', resource: 'namespaces' });
export const CRD_PREFIX = resourcePrefix({ group: CRD_GROUP, resource: CRD_PLURAL });
/** Limits on what a namespace may have. */
export const RESOURCE_QUOTAS_PREFIX = resourcePrefix({ group: '', resource: 'resourcequotas' });
