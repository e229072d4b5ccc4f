import { getJson } from '../api/http.ts';
import { at, listAt, textAt, type Json } from '../api/json.ts';
import { groupResource, rankOf, type Kind, type KindName } from '../api/kind.ts';

/** The kind of definitions. */
export const DEFINITIONS: KindName = {
  group: 'apiextensions.cluster.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
};

/** Whether a kind comes from a definition, or from another server. */
export const isCustom = ({ group }: Pick<Kind, 'group'>): boolean => rankOf(group) === 0;

/** The definition of a custom kind, where the user may read it. */
export async function definitionOf(kind: KindName): Promise<Json | undefined> {
  if (!isCustom(kind)) return undefined;
  const name = encodeURIComponent(groupResource(kind));
  const path = `/apis/${DEFINITIONS.group}/${DEFINITIONS.version}/${DEFINITIONS.plural}/${name}`;
  return getJson(`${path}?managedFields=omit`).catch(() => undefined);
}

/** What a definition says of one of its versions. */
interface DefinedVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly isDeprecated: boolean;
}

/** The versions of a definition, in its order. */
export function definedVersions(definition: Json | undefined): DefinedVersion[] {
  return listAt(definition, 'spec', 'versions').map((version) => ({
    name: textAt(version, 'name'),
    isServed: at(version, 'served') === true,
    isStored: at(version, 'storage') === true,
    isDeprecated: at(version, 'deprecated') === true,
  }));
}
