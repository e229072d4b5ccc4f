import { apiVersionOf, compareVersionNames } from '../../api/group-version.ts';
import { isAlias, servedGroup } from '../../api/naming.ts';
import { LazySchema } from '../../schema/lazy.ts';
import {
  isTerminating,
  schemaOf,
  storageVersionOf,
  type CrdNames,
  type CrdSpec,
  type CrdVersion,
  type CustomResourceDefinition,
} from '../apiextensions/crd-types.ts';
import {
  ALL_VERBS,
  type ConversionWebhook,
  type CustomOrigin,
  type ResourceDefinition,
  type ResourceNames,
  type Subresources,
  type VersionDefinition,
} from '../definition.ts';
import { customColumns } from './columns.ts';
import { CustomCodec } from './custom-codec.ts';
import type { RuleCompilation } from './rules.ts';
import { scalePathsOf } from './scale.ts';
import { customSelectableFields } from './selectable-fields.ts';
import { DefinitionSource, type BytesHolder } from './source.ts';
import { customStatusStrategy, customStrategy, isUpdatedUnconditionally } from './strategy.ts';

/** A definition as it is served, with where its schemas come from. */
export interface CompiledCrd {
  readonly definition: ResourceDefinition;
  readonly source: DefinitionSource;
}

/**
 * Makes the resource that a stored definition declares. Schemas are not looked
 * at until a version is used. What was compiled `before` from the same
 * spec keeps its versions, for caches hang on them: views of objects, merge
 * schemas, documents.
 *
 * `stored`: the bytes that `crd` was parsed from.
 */
export function compileCrd(
  crd: CustomResourceDefinition,
  stored: BytesHolder,
  rules: RuleCompilation,
  before?: CompiledCrd,
): CompiledCrd {
  const { spec } = crd;
  const custom = originOf(crd);
  const isSameSpec = before !== undefined && namesSameContent(before.definition.custom, custom);
  const source = isSameSpec ? before.source : new DefinitionSource(stored);
  if (isSameSpec) source.renew(stored);
  const versions = isSameSpec ? before.definition.versions : versionsOf(crd, source, rules);
  const storageVersion = storageVersionOf(spec)?.name ?? '';
  const storage = versions.find(({ name }) => name === storageVersion);
  return {
    source,
    definition: {
      group: servedGroup(spec.group),
      names: namesOf(crd.status.acceptedNames, spec.names),
      namespaced: spec.scope === 'Namespaced',
      builtin: false,
      versions,
      storageVersion,
      verbs: ALL_VERBS,
      strategy: storage?.strategy ?? customStrategy(false),
      custom,
    },
  };
}

function originOf(crd: CustomResourceDefinition): CustomOrigin {
  const { metadata, spec } = crd;
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    group: spec.group,
    generation: String(metadata.generation ?? 0),
    terminating: isTerminating(crd),
    conversionWebhook: conversionWebhookOf(spec),
  };
}

function conversionWebhookOf({ conversion }: CrdSpec): ConversionWebhook | undefined {
  if (conversion?.strategy !== 'Webhook') return undefined;
  const { clientConfig = {}, conversionReviewVersions } = conversion.webhook ?? {};
  return { clientConfig, reviewVersions: conversionReviewVersions ?? [] };
}

/** Every change of the spec is counted in metadata.generation. */
function namesSameContent(a: CustomOrigin | undefined, b: CustomOrigin): boolean {
  return a?.uid === b.uid && a.generation === b.generation;
}

/** The accepted names; the kind and the plural never change once objects are served. */
function namesOf(accepted: CrdNames, asked: CrdNames): ResourceNames {
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List` } = asked;
  return {
    plural,
    kind,
    singular: accepted.singular ?? singular,
    listKind: accepted.listKind ?? listKind,
    shortNames: accepted.shortNames ?? [],
    categories: accepted.categories ?? [],
  };
}

function versionsOf(
  crd: CustomResourceDefinition,
  source: DefinitionSource,
  rules: RuleCompilation,
): VersionDefinition[] {
  const { spec } = crd;
  return [...(spec.versions ?? [])]
    .sort((a, b) => compareVersionNames(a.name, b.name))
    .map((version) => versionOf(spec, version, source, rules));
}

function versionOf(
  spec: CrdSpec,
  version: CrdVersion,
  source: DefinitionSource,
  rules: RuleCompilation,
): VersionDefinition {
  const { name } = version;
  const schema = new LazySchema(() => source.schemaJson(name));
  const scale = scalePathsOf(version);
  const hasStatus = version.subresources?.status !== undefined;
  const subresources: Subresources = {
    ...(hasStatus ? { status: customStatusStrategy } : {}),
    ...(scale === undefined ? {} : { scale }),
  };
  return {
    name,
    served: version.served,
    deprecation: deprecationOf(spec, version),
    codec: new CustomCodec({
      group: servedGroup(spec.group),
      kind: spec.names.kind,
      version: name,
      schema,
      scale,
      rules,
    }),
    strategy: customStrategy(hasStatus, isUpdatedUnconditionally(spec)),
    columns: customColumns(version.additionalPrinterColumns),
    selectableFields: customSelectableFields(version),
    subresources,
    schema: () => schema.schema,
    ...(schemaOf(version) === undefined ? {} : { document: () => schema.json() }),
  };
}

/** The warning for requests of a version: its own, or one that names the newest version to use instead. */
function deprecationOf(spec: CrdSpec, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { names } = spec;
  const group = isAlias(spec.group) ? spec.group : servedGroup(spec.group);
  const shown = (name: string): string => `${apiVersionOf({ group, version: name })} ${names.kind}`;
  const [better] = (spec.versions ?? [])
    .filter(({ served, deprecated }) => served && deprecated !== true)
    .map(({ name }) => name)
    .filter((name) => compareVersionNames(name, version.name) < 0)
    .sort(compareVersionNames);
  const text = `${shown(version.name)} is deprecated`;
  return better === undefined ? text : `${text}; use ${shown(better)}`;
}
