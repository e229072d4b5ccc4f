import type { FieldError } from '../api/field-error.ts';
import type { GroupResource } from '../api/group-version.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import type { NameRule } from '../api/name-rules.ts';
import type { ApiObject } from '../api/object.ts';
import type { Dialect } from '../api/schema-extensions.ts';
import type { Steps } from '../api/steps.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import type { Codec } from './codec.ts';
import type { ClientConfigValue } from './webhook-client.ts';

/**
 * A kind is data: everything that routes, discovery, OpenAPI, tables, verbs,
 * patches and admission need to know of it. Built-in kinds are files in this
 * room; a CRD compiles to the same type (`custom/`). Immutable.
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly names: ResourceNames;
  readonly namespaced: boolean;
  readonly builtin: boolean;
  /** Every version, served or not, in the order of discovery. */
  readonly versions: readonly VersionDefinition[];
  readonly storageVersion: string;
  readonly verbs: readonly Verb[];
  readonly strategy: Strategy;
  /** Objects vanish so long after their last write; undefined: never. */
  readonly ttlSeconds?: number;
  /** DELETE answers the object instead of a Status (specification 1, section 7). */
  readonly deleteReturnsObject?: boolean;
  /**
   * The object with the other names of the groups that its fields name, except its
   * apiVersion and its managers; the one given may be changed. Absent: there are none.
   */
  readonly renamed?: Renaming;
  /** The objects are stored as those of another resource, of which this is a second form (the core Event). */
  readonly formOf?: SecondForm;
  /** A definition for the same resource takes its place (kinds without objects). */
  readonly givesWay?: true;
  /** Served under the alias of its group alone: the specification's group has no such kind. */
  readonly aliasOnly?: true;
  /** Objects are not stored: they are made for each request (ComponentStatus). */
  readonly computed?: boolean;
  /** The definition that this one was compiled from; undefined for built-in kinds. */
  readonly custom?: CustomOrigin;
}

/** How objects of another resource look as objects of this one, and back. */
export interface SecondForm {
  /** The resource that is stored. */
  readonly resource: GroupResource;
  /** Neither changes the object that it is given; the results may share parts with it. */
  readonly fromStored: (object: ApiObject) => ApiObject;
  readonly toStored: (object: ApiObject) => ApiObject;
}

/** Which of the two names of a group to write. */
export interface GroupNames {
  /** How extension keys of schemas are spelled. */
  readonly dialect: Dialect;
  readonly version: (apiVersion: string) => string;
  readonly group: (group: string) => string;
}

export type Renaming = (object: JsonObject, names: GroupNames) => JsonObject;

export interface CustomOrigin {
  /** Name and uid of the CustomResourceDefinition. */
  readonly name: string;
  readonly uid: string;
  /** `spec.group`, which may be the alias of the group. */
  readonly group: string;
  /** metadata.generation: together with the uid it names this very content. */
  readonly generation: string;
  readonly terminating: boolean;
  /** Who converts objects between versions; undefined: only their apiVersion changes. */
  readonly conversionWebhook: ConversionWebhook | undefined;
}

export interface ConversionWebhook {
  readonly clientConfig: ClientConfigValue;
  /** Versions of ConversionReview that it takes, the preferred one first. */
  readonly reviewVersions: readonly string[];
}

export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export type Verb =
  | 'create'
  | 'delete'
  | 'deletecollection'
  | 'get'
  | 'list'
  | 'patch'
  | 'update'
  | 'watch';

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

export interface VersionDefinition {
  readonly name: string;
  readonly served: boolean;
  /** Text of the Warning header for every request; undefined: not deprecated. */
  readonly deprecation: string | undefined;
  readonly codec: Codec;
  /** In place of the definition's, where versions differ: custom resources have one each. */
  readonly strategy?: Strategy;
  readonly columns: readonly Column[];
  /** Field selectors in addition to metadata.name and metadata.namespace; an absent field reads as ''. */
  readonly selectableFields: ReadonlyMap<string, (object: JsonObject) => string>;
  readonly subresources: Subresources;
  /** The schema that is published, merged by and validated by. */
  readonly schema: () => StructuralSchema;
  /**
   * The JSON of a CRD's schema, with titles and descriptions: what documents are
   * made of. A new one each time; it belongs to the caller. Absent for built-in
   * kinds, whose schema says everything, and for CRDs without one.
   */
  readonly document?: () => JsonObject | undefined;
}

export interface Subresources<T extends ApiObject = ApiObject> {
  readonly status?: UpdateStrategy<T>;
  readonly scale?: ScalePaths;
  /** CertificateSigningRequest only: the decision whether it is signed. */
  readonly approval?: UpdateStrategy<T>;
  /** ServiceAccount only: makes tokens. */
  readonly token?: true;
  /** Namespace only: replaces spec.finalizers. */
  readonly finalize?: UpdateStrategy<T>;
}

/** Where a custom resource keeps what a Scale shows: keys from the root of the object. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** A column of the table form. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; higher ones in wide output only. */
  readonly priority: number;
  /** The cell; `now` in milliseconds, for ages. */
  readonly cell: (object: JsonObject, now: number) => JsonValue;
  /** The cell depends on nothing but metadata.creationTimestamp and the moment; alike in all such columns of a kind. */
  readonly isAge?: true;
}

/** What hooks may know of the moment. */
export interface StrategyContext {
  /** Wall clock, milliseconds. */
  readonly now: number;
}

export interface DeletionContext extends StrategyContext {
  /** What metadata.finalizers would be by the propagation policy of the request. */
  readonly finalizers: readonly string[];
}

/**
 * What is particular to a kind when it is written. Hooks are pure: they see the
 * decoded object and change it in place (`prepare…`) or return what is wrong
 * with it (`validate…`). Metadata and structure are checked by the registry. T is
 * what the schema of the kind describes.
 */
export interface Strategy<T extends ApiObject = ApiObject> extends UpdateStrategy<T> {
  /** What is wrong with a name (of an object, or the prefix of a generated one); empty: nothing. */
  readonly validateName: NameRule;
  /** PUT on a name that does not exist creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resourceVersion replaces whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** Drops what a client may not set on create. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly validate?: (object: T, context: StrategyContext) => FieldError[];
  /** Texts for Warning headers on create (`old` undefined) and update. */
  readonly warnings?: (object: T, old: T | undefined) => string[];
  /** The same, where finding them may take long. */
  readonly warningSteps?: (object: T, old: T | undefined) => Steps<string[]>;
  /** False: deletion ignores propagation policies (Event). */
  readonly garbageCollected?: boolean;
  /** Something else than metadata.finalizers holds the object back from going (Namespace: spec.finalizers). */
  readonly holdsBack?: (object: T) => boolean;
  /**
   * Called by the first DELETE, which then only marks the object, whatever holds
   * it back: adds a finalizer of the kind's own (CustomResourceDefinition), or
   * sets its phase and those that were asked for (Namespace).
   */
  readonly beginDeletion?: (object: T, context: DeletionContext) => void;
  /** generateName appends a random suffix unless this says otherwise (IPAddress). */
  readonly generatesNames?: boolean;
}

/** One way to update an object: through itself, its status, its finalizers. */
export interface UpdateStrategy<T extends ApiObject = ApiObject> {
  /** Restores from `old` what this way may not change, and sets the generation. */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => FieldError[];
  /** What is wrong with a new (`old` undefined) or changed object, where finding it may take long. */
  readonly validateSteps?: (object: T, old: T | undefined) => Steps<FieldError[]>;
  /** Fields that this way resets and so never owns, as paths from the root: `['status']`. */
  readonly resetFields?: readonly (readonly string[])[];
}
