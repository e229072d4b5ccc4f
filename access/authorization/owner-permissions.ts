import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, Operation } from '../../admission/attributes.ts';
import type { AdmissionPlugin } from '../../admission/chain.ts';
import { forbidden } from '../../api/api-error.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { neutralGroup } from '../../api/naming.ts';
import type { OwnerReference, ApiObject } from '../../api/object.ts';
import type { Catalog } from '../../registry/catalog.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { OWNER_PERMISSIONS } from '../../config/access-flags.ts';
import { NO_ATTRIBUTES, type AuthorizationAttributes, type Authorizer } from './authorizer.ts';

/**
 * A user who changes the owners of an object can make the garbage collector delete
 * it, and an owner that is not deleted before its dependents can be held
 * up by them: the first needs the right to delete the object, the second that to
 * set finalizers on the owner. Off unless `--enable-admission-plugins` names it,
 * as in kube-apiserver.
 */
export class OwnerPermissions implements AdmissionPlugin {
  readonly name = OWNER_PERMISSIONS;
  readonly #authorizer: Authorizer;
  readonly #catalog: Pick<Catalog, 'findKind'>;

  constructor(authorizer: Authorizer, catalog: Pick<Catalog, 'findKind'>) {
    this.#authorizer = authorizer;
    this.#catalog = catalog;
  }

  handles(operation: Operation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  /** Sees what other plugins have made of the object. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, operation } = attributes;
    const [owners, before] = [ownersOf(object), ownersOf(oldObject)];
    if (isDeepStrictEqual(owners, before)) return;
    // Who creates an object could have left it out.
    if (operation !== 'CREATE') await this.#checkDelete(attributes);
    const blockedBefore = new Set(before.filter(blocks).map(({ uid }) => uid));
    for (const owner of owners.filter(blocks)) {
      if (!blockedBefore.has(owner.uid)) await this.#checkFinalizers(attributes, owner);
    }
  }

  async #checkDelete(attributes: AdmissionAttributes): Promise<void> {
    const { resource, subresource, namespace, name } = attributes;
    const what = { ...resource, subresource, namespace, name, verb: 'delete' };
    await this.#confirm(attributes, what, "cannot set an ownerRef on a resource you can't delete");
  }

  async #checkFinalizers(attributes: AdmissionAttributes, owner: OwnerReference): Promise<void> {
    const kind = this.#kindOf(owner);
    if (kind === undefined) {
      const why = `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${owner.apiVersion} Kind ${owner.kind}`;
      throw forbidden(attributes.resource, attributes.name, why);
    }
    const what = {
      ...{ ...kind.resource, subresource: 'finalizers', name: owner.name, verb: 'update' },
      namespace: kind.definition.namespaced ? attributes.namespace : '',
    };
    const why =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    await this.#confirm(attributes, what, why);
  }

  async #confirm(
    { user, resource, name }: AdmissionAttributes,
    what: Partial<AuthorizationAttributes> & { verb: string },
    why: string,
  ): Promise<void> {
    const asked = { ...NO_ATTRIBUTES, ...what, user, isResource: true };
    const { decision, reason } = await this.#authorizer.authorize(asked);
    if (decision !== 'allow') throw forbidden(resource, name, `${why}: ${reason}, <nil>`);
  }

  #kindOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    const named = parseApiVersion(apiVersion);
    if (named === undefined) return undefined;
    return this.#catalog.findKind(neutralGroup(named.group), named.version, kind);
  }
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

function blocks({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}
