import type { GroupVersionKind } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Verb } from '../../resources/definition.ts';
import { capitalised } from './names.ts';
import { BODY_TYPES, operationOf, type OperationInit } from './operation.ts';
import * as parameters from './parameters.ts';

/** Names of the schemas that operations refer to. */
interface OperationSchemas {
  readonly object: string;
  readonly list: string;
  readonly status: string;
  readonly deleteOptions: string;
  readonly patch: string;
  readonly scale: string;
  readonly tokenRequest: string;
}

const CUSTOM_PATCH_TYPES = [MEDIA_TYPE.applyYaml, MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch];
/** Clients read here whether they may send strategic merge patches. */
const BUILTIN_PATCH_TYPES = [...CUSTOM_PATCH_TYPES, MEDIA_TYPE.strategicMergePatch];

const TOKEN_REQUEST: GroupVersionKind = {
  group: 'authentication.cluster.io',
  version: 'v1',
  kind: 'TokenRequest',
};

/**
 * The paths of a resource with every operation on them. Source: behaviours 1.9;
 * clients find an operation by `x-kubernetes-action` and
 * `x-kubernetes-group-version-kind`.
 */
export function resourcePaths(
  resource: ServedResource,
  schemas: OperationSchemas,
): Map<string, JsonObject> {
  const builder = new PathBuilder(resource, schemas);
  builder.collection();
  builder.object();
  builder.subresources();
  return builder.paths;
}

class PathBuilder {
  readonly paths = new Map<string, JsonObject>();
  readonly #resource: ServedResource;
  readonly #schemas: OperationSchemas;
  readonly #root: string;
  readonly #items: string;
  readonly #what: string;

  constructor(resource: ServedResource, schemas: OperationSchemas) {
    this.#resource = resource;
    this.#schemas = schemas;
    const { definition, kind } = resource;
    const prefix = kind.group === '' ? '/api' : `/apis/${kind.group}`;
    this.#root = `${prefix}/${kind.version}`;
    const { plural } = definition.names;
    this.#items = definition.namespaced
      ? `${this.#root}/namespaces/{namespace}/${plural}`
      : `${this.#root}/${plural}`;
    this.#what = `${definition.namespaced ? 'Namespaced' : ''}${kind.kind}`;
  }

  collection(): void {
    const { definition, kind } = this.#resource;
    const { plural } = definition.names;
    if (definition.namespaced && this.#has('list')) {
      this.#add(
        `${this.#root}/${plural}`,
        [parameters.PRETTY],
        [this.#list(`${kind.kind}ForAllNamespaces`)],
      );
    }
    this.#add(
      this.#items,
      [...this.#namespace(), parameters.PRETTY],
      [
        this.#has('list') && this.#list(this.#what),
        this.#has('create') && this.#create(),
        this.#has('deletecollection') && this.#deleteCollection(),
      ],
    );
  }

  object(): void {
    const { kind } = this.#resource;
    const { object, status, deleteOptions } = this.#schemas;
    this.#add(`${this.#items}/{name}`, this.#named(), [
      this.#has('get') && this.#read('', kind, object),
      this.#has('update') && this.#replace('', kind, object),
      this.#has('patch') && this.#patch('', kind, object),
      this.#has('delete') && {
        method: 'delete',
        action: 'delete',
        verb: 'delete',
        what: this.#what,
        description: `Deletes the ${kind.kind}.`,
        parameters: parameters.DELETE_PARAMETERS,
        kind,
        answer: this.#resource.definition.deleteReturnsObject === true ? object : status,
        codes: [200, 202],
        body: { schema: deleteOptions, types: BODY_TYPES, required: false },
      },
    ]);
  }

  subresources(): void {
    const { version, kind } = this.#resource;
    const { object, scale, tokenRequest } = this.#schemas;
    if (version.subresources.finalize !== undefined) {
      this.#add(`${this.#items}/{name}/finalize`, this.#named(), [
        this.#replace('finalize', kind, object),
      ]);
    }
    for (const name of ['approval', 'status'] as const) {
      if (version.subresources[name] === undefined) continue;
      this.#add(`${this.#items}/{name}/${name}`, this.#named(), this.#update(name, kind, object));
    }
    if (version.subresources.token === true) {
      this.#add(`${this.#items}/{name}/token`, this.#named(), [
        {
          ...this.#create(),
          what: `${this.#what}Token`,
          description: `Makes a token for the ${kind.kind}.`,
          kind: TOKEN_REQUEST,
          answer: tokenRequest,
          body: { schema: tokenRequest, types: BODY_TYPES, required: true },
        },
      ]);
    }
    if (version.subresources.scale !== undefined) {
      // the kind of the resource, as in kube-apiserver, though a Scale is read and written
      this.#add(`${this.#items}/{name}/scale`, this.#named(), this.#update('scale', kind, scale));
    }
  }

  #update(subresource: string, kind: GroupVersionKind, schema: string): OperationInit[] {
    return [
      this.#read(subresource, kind, schema),
      this.#replace(subresource, kind, schema),
      this.#patch(subresource, kind, schema),
    ];
  }

  #has(verb: Verb): boolean {
    return this.#resource.definition.verbs.includes(verb);
  }

  #namespace(): JsonObject[] {
    return this.#resource.definition.namespaced ? [parameters.NAMESPACE] : [];
  }

  #named(): JsonObject[] {
    const name = parameters.nameParameter(this.#resource.kind.kind);
    return [name, ...this.#namespace(), parameters.PRETTY];
  }

  #list(what: string): OperationInit {
    const { kind } = this.#resource;
    return {
      method: 'get',
      action: 'list',
      verb: 'list',
      what,
      description: `Lists or watches objects of kind ${kind.kind}.`,
      parameters: parameters.LIST_PARAMETERS,
      kind,
      answer: this.#schemas.list,
      codes: [200],
    };
  }

  #create(): OperationInit {
    const { kind } = this.#resource;
    return {
      method: 'post',
      action: 'post',
      verb: 'create',
      what: this.#what,
      description: `Creates an object of kind ${kind.kind}.`,
      parameters: parameters.WRITE_PARAMETERS,
      kind,
      answer: this.#schemas.object,
      codes: [200, 201, 202],
      body: { schema: this.#schemas.object, types: BODY_TYPES, required: true },
    };
  }

  #deleteCollection(): OperationInit {
    const { kind } = this.#resource;
    return {
      method: 'delete',
      action: 'deletecollection',
      verb: 'delete',
      what: `Collection${this.#what}`,
      description: `Deletes the selected objects of kind ${kind.kind}.`,
      parameters: parameters.DELETE_COLLECTION_PARAMETERS,
      kind,
      answer: this.#schemas.status,
      codes: [200],
      body: { schema: this.#schemas.deleteOptions, types: BODY_TYPES, required: false },
    };
  }

  #read(subresource: string, kind: GroupVersionKind, schema: string): OperationInit {
    return {
      method: 'get',
      action: 'get',
      verb: 'read',
      what: this.#what + capitalised(subresource),
      description: `Reads ${this.#theObject(subresource)}.`,
      parameters:
        subresource === 'scale' ? parameters.GET_SCALE_PARAMETERS : parameters.GET_PARAMETERS,
      kind,
      answer: schema,
      codes: [200],
    };
  }

  #replace(subresource: string, kind: GroupVersionKind, schema: string): OperationInit {
    return {
      method: 'put',
      action: 'put',
      verb: 'replace',
      what: this.#what + capitalised(subresource),
      description: `Replaces ${this.#theObject(subresource)}.`,
      parameters: parameters.WRITE_PARAMETERS,
      kind,
      answer: schema,
      codes: [200, 201],
      body: { schema, types: BODY_TYPES, required: true },
    };
  }

  #patch(subresource: string, kind: GroupVersionKind, schema: string): OperationInit {
    const { builtin } = this.#resource.definition;
    return {
      method: 'patch',
      action: 'patch',
      verb: 'patch',
      what: this.#what + capitalised(subresource),
      description: `Changes parts of ${this.#theObject(subresource)}.`,
      parameters: parameters.PATCH_PARAMETERS,
      kind,
      answer: schema,
      codes: [200, 201],
      body: {
        schema: this.#schemas.patch,
        types: builtin ? BUILTIN_PATCH_TYPES : CUSTOM_PATCH_TYPES,
        required: true,
      },
    };
  }

  #theObject(subresource: string): string {
    const { kind } = this.#resource.kind;
    return subresource === '' ? `the ${kind}` : `the ${subresource} of the ${kind}`;
  }

  #add(
    path: string,
    shared: readonly JsonObject[],
    operations: readonly (OperationInit | false)[],
  ): void {
    const item: JsonObject = {};
    for (const init of operations)
      if (init !== false) item[init.method] = operationOf(init, this.#resource.kind);
    if (Object.keys(item).length === 0) return;
    item['parameters'] = [...shared];
    this.paths.set(path, item);
  }
}
