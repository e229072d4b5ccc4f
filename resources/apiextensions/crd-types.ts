import type { JsonObject } from '../../api/json.ts';
import type { ValueOf } from '../../schema/shape.ts';
import type { customResourceDefinitionSchema } from './crd-schema.ts';

export const CRD_GROUP = 'apiextensions.cluster.io';
export const CRD_PLURAL = 'customresourcedefinitions';

/** A CustomResourceDefinition as its codec decodes it: types are right, empty things are absent. */
export type CustomResourceDefinition = ValueOf<typeof customResourceDefinitionSchema>;
export type CrdSpec = CustomResourceDefinition['spec'];
export type CrdStatus = CustomResourceDefinition['status'];
export type CrdNames = CrdSpec['names'];
export type CrdConversion = NonNullable<CrdSpec['conversion']>;
export type CrdVersion = NonNullable<CrdSpec['versions']>[number];
export type CrdSubresources = NonNullable<CrdVersion['subresources']>;
export type CrdColumn = NonNullable<CrdVersion['additionalPrinterColumns']>[number];
export type CrdCondition = NonNullable<CrdStatus['conditions']>[number];

export type CrdConditionType = 'Established' | 'NamesAccepted' | 'Terminating';

function conditionOf(
  { status }: CustomResourceDefinition,
  type: CrdConditionType,
): CrdCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** False also where the condition is missing or Unknown. */
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
