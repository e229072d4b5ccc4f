import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import type { ConditionValue } from '../conditions.ts';
import type { ClientConfigValue } from '../webhook-client.ts';

export const CRD_GROUP = 'apiextensions.cluster.io';
export const CRD_PLURAL = 'customresourcedefinitions';

/** A CustomResourceDefinition as its codec decodes it: types are right, empty things are absent. */
export type CustomResourceDefinition = ApiObject & {
  spec: CrdSpec;
  status: CrdStatus;
};

export interface CrdSpec {
  group: string;
  names: CrdNames;
  scope: string;
  /** null when there is none. */
  versions: CrdVersion[] | null;
  conversion?: CrdConversion;
  preserveUnknownFields?: boolean;
}

export interface CrdNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonObject };
  subresources?: CrdSubresources;
  additionalPrinterColumns?: CrdColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface CrdSubresources {
  status?: JsonObject;
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
}

export interface CrdColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface CrdConversion {
  strategy: string;
  webhook?: {
    clientConfig?: ClientConfigValue;
    conversionReviewVersions: string[] | null;
  };
}

export interface CrdStatus {
  /** null until there is one. */
  conditions: CrdCondition[] | null;
  acceptedNames: CrdNames;
  storedVersions: string[] | null;
}

export interface CrdCondition extends ConditionValue {
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export type CrdConditionType = 'Established' | 'NamesAccepted' | 'Terminating';

function conditionOf(
  { status }: CustomResourceDefinition,
  type: CrdConditionType,
): CrdCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(crd: CustomResourceDefinition, type: CrdConditionType): boolean {
  return conditionOf(crd, type)?.status === 'True';
}

/** Is the definition on its way out? What is marked never comes back. */
export function isTerminating(crd: CustomResourceDefinition): boolean {
  return crd.metadata.deletionTimestamp !== undefined || isConditionTrue(crd, 'Terminating');
}

/** The first version that is marked as the one in which objects are stored. */
export function storageVersionOf({ versions }: CrdSpec): CrdVersion | undefined {
  return versions?.find(({ storage }) => storage);
}

/** The schema of a version; undefined when there is none. */
export function schemaOf({ schema }: CrdVersion): JsonObject | undefined {
  return schema?.openAPIV3Schema;
}
