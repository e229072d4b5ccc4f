import { badRequest } from '../api/api-error.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { getOwn, getPath, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import {
  entriesAfterScale,
  entriesOfScale,
  type ReplicasPaths,
} from '../patch/apply/scale-managers.ts';
import { replicasProblem } from '../resources/custom/scale.ts';
import { scaleDefinition } from '../resources/custom/scale-kind.ts';
import type { ResourceDefinition, ScalePaths } from '../resources/definition.ts';
import { servedResource, type ServedResource } from './served-resource.ts';

/** Stands for replicas that an object does not have while its scale is changed: no client can ask for it. */
const NO_REPLICAS = -(2 ** 31);

/** How objects of one resource look as Scales, and back. Source: behaviours 7.13. */
export class ScaleForm {
  /**
   * The resource as its scale shows it: a Scale in kind and form, the resource
   * itself in where it is and what errors call it.
   */
  readonly resource: ServedResource;
  readonly #parent: ServedResource;
  readonly #paths: ScalePaths;

  constructor(parent: ServedResource) {
    const paths = parent.version.subresources.scale;
    const [version] = scaleDefinition.versions;
    if (paths === undefined || version === undefined) throw new Error('the resource has no scale');
    this.#parent = parent;
    this.#paths = paths;
    this.resource = {
      ...servedResource(scaleDefinition, version),
      resource: parent.resource,
      groupResource: parent.groupResource,
      prefix: parent.prefix,
    };
  }

  /**
   * The scale of an object, its own.
   *
   * @throws ApiError 400 when what it shows is not what a scale can show
   */
  scaleOf(object: ApiObject): ApiObject {
    const { specReplicas, statusReplicas, labelSelector } = this.#paths;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const replicas = this.#replicas(object, specReplicas);
    const selector = labelSelector === undefined ? undefined : getPath(object, ...labelSelector);
    if (selector !== undefined && typeof selector !== 'string') {
      throw badRequest(`the selector field ${shown(labelSelector ?? [])} must be a string`);
    }
    return {
      apiVersion: this.resource.apiVersion,
      kind: this.resource.kind.kind,
      metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
      spec: replicas === undefined || replicas === 0 ? {} : { replicas },
      status: {
        replicas: this.#replicas(object, statusReplicas) ?? 0,
        ...(selector === undefined || selector === '' ? {} : { selector }),
      },
    };
  }

  /** As {@link scaleOf}. @throws ApiError 400 when the object does not say how many replicas it wants */
  readableScaleOf(object: ApiObject): ApiObject {
    const { specReplicas } = this.#paths;
    if (getPath(object, ...specReplicas) !== undefined) return this.scaleOf(object);
    throw badRequest(`the spec replicas field ${shown(specReplicas)} does not exist`);
  }

  /** The scale that is to be changed, with its managers. */
  changeableScaleOf(object: ApiObject): ApiObject {
    const scale = this.scaleOf(object);
    if (getPath(object, ...this.#paths.specReplicas) === undefined) {
      scale['spec'] = { replicas: NO_REPLICAS };
    }
    const entries = entriesOfScale(managedFieldsOf(object), this.#replicasPaths());
    if (entries.length > 0) scale.metadata.managedFields = entries;
    return scale;
  }

  /**
   * The object with what its changed scale asks for: replicas, preconditions,
   * managers. Nothing else of the scale counts. Changes `object`.
   *
   * @throws ApiError 400
   */
  withScale(object: ApiObject, scale: ApiObject): ApiObject {
    const { specReplicas } = this.#paths;
    const replicas = getPath(scale, 'spec', 'replicas') ?? 0;
    if (replicas === NO_REPLICAS) {
      throw badRequest(`the spec replicas field ${shown(specReplicas)} cannot be empty`);
    }
    setAt(object, specReplicas, replicas);
    const metadata = object.metadata;
    const { uid = '', resourceVersion = '', managedFields = [] } = scale.metadata;
    if (uid !== '') metadata.uid = uid;
    if (resourceVersion !== '') metadata.resourceVersion = resourceVersion;
    const entries = entriesAfterScale(
      managedFieldsOf(object),
      managedFields,
      this.#replicasPaths(),
      this.#parent.apiVersion,
    );
    if (entries.length === 0) delete metadata.managedFields;
    else metadata.managedFields = entries;
    return object;
  }

  #replicas(object: ApiObject, path: readonly string[]): number | bigint | undefined {
    const value = getPath(object, ...path);
    const problem = replicasProblem(value);
    if (problem !== undefined) throw badRequest(`the field ${shown(path)} ${problem}`);
    return value as number | bigint | undefined;
  }

  /** Where the replicas are in each version. */
  #replicasPaths(): ReplicasPaths {
    const { group, versions }: ResourceDefinition = this.#parent.definition;
    return new Map(
      versions.map(({ name, subresources }) => [
        apiVersionOf({ group, version: name }),
        subresources.scale?.specReplicas,
      ]),
    );
  }
}

function shown(path: readonly string[]): string {
  return JSON.stringify(`.${path.join('.')}`);
}

function managedFieldsOf({ metadata }: ApiObject): JsonValue | undefined {
  return metadata.managedFields;
}

function defined(fields: Record<string, string | null | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

/** Makes the objects on the way. @throws ApiError 400 when something else is in the way */
function setAt(object: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = object;
  for (const key of path.slice(0, -1)) {
    const next = getOwn(at, key) ?? {};
    if (!isObject(next))
      throw badRequest(`cannot set ${shown(path)}: a field above it is not an object`);
    setOwn(at, key, next);
    at = next;
  }
  setOwn(at, path.at(-1) ?? '', value);
}
