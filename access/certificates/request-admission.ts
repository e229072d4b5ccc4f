import { objectOf } from '../../resources/object-of.ts';
import { requestSchema } from '../../resources/certificates/request-schema.ts';
import { CERTIFICATES_GROUP } from '../../api/naming.ts';
import type { AdmissionAttributes, Operation } from '../../admission/attributes.ts';
import type { AdmissionPlugin } from '../../admission/chain.ts';
import { forbidden, invalid } from '../../api/api-error.ts';
import { fieldError } from '../../api/field-error.ts';
import { deepEqual } from '../../api/json.ts';
import { SUPERUSERS } from '../../api/user.ts';
import { API_CLIENT_SIGNER, type SigningRequest } from '../../resources/certificates/request.ts';
import { NO_ATTRIBUTES, type Authorizer } from '../authorization/authorizer.ts';

/**
 * What admission asks of certificate signing requests: the server writes who
 * created one; the request can be read and proves that its sender holds the key;
 * only those with the right to the verb `approve` on the signer decide, and only
 * those with the right to `sign` issue; no request makes a superuser.
 * Source: behaviours 9.22.
 */
export class CertificateRequests implements AdmissionPlugin {
  readonly name = 'CertificateRequests';
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  handles(operation: Operation, { resource, subresource }: AdmissionAttributes): boolean {
    if (resource.group !== CERTIFICATES_GROUP) return false;
    return subresource === '' ? operation === 'CREATE' : operation === 'UPDATE';
  }

  mutate(attributes: AdmissionAttributes): Promise<boolean> {
    if (attributes.operation === 'CREATE') writeRequester(attributes);
    return Promise.resolve(false);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (attributes.object === undefined) return;
    const request = objectOf(requestSchema, attributes.object);
    switch (attributes.subresource) {
      case 'approval':
        return this.#check(attributes, 'approve');
      case 'status': {
        if (deepEqual(request.status, before(attributes)?.status ?? {})) return;
        return this.#check(attributes, 'sign');
      }
      default:
        return checkRequest(attributes, request);
    }
  }

  /** The signer of the stored request counts: the one in the body changes nothing. */
  async #check(attributes: AdmissionAttributes, verb: 'approve' | 'sign'): Promise<void> {
    const { user, resource, name } = attributes;
    const { signerName = '' } = before(attributes)?.spec ?? {};
    const wildcard = `${signerName.slice(0, signerName.indexOf('/'))}/*`;
    for (const signer of [signerName, wildcard]) {
      const { decision } = await this.#authorizer.authorize({
        ...NO_ATTRIBUTES,
        ...{ user, verb, isResource: true, name: signer },
        ...{ group: CERTIFICATES_GROUP, version: '*', resource: 'signers' },
      });
      if (decision === 'allow') return;
    }
    const what = verb === 'approve' ? 'approve requests' : 'sign requests';
    const why = `user not permitted to ${what} with signerName ${JSON.stringify(signerName)}`;
    throw forbidden(resource, name, why);
  }
}

function before({ oldObject }: AdmissionAttributes): SigningRequest | undefined {
  return oldObject && objectOf(requestSchema, oldObject);
}

function writeRequester({ object, user }: AdmissionAttributes): void {
  if (object === undefined) return;
  const { spec } = objectOf(requestSchema, object);
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = spec;
  const extra = Object.fromEntries(
    Object.entries(user.extra).map(([key, values]) => [key, [...values]]),
  );
  object['spec'] = {
    ...asked,
    username: user.name,
    ...(user.uid === '' ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

async function checkRequest(
  { kind, resource, name }: AdmissionAttributes,
  { spec }: SigningRequest,
): Promise<void> {
  const { signerName } = spec;
  const request = spec.request ?? '';
  let groups: readonly string[];
  try {
    const { readSigningRequest } = await import('./signing-request.ts');
    groups = (await readSigningRequest(request)).subjectName.getField('O');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalid(kind, name, [fieldError.invalid('spec.request', request, why)]);
  }
  if (signerName !== API_CLIENT_SIGNER || !groups.includes(SUPERUSERS)) return;
  const why = `use of ${API_CLIENT_SIGNER} signer with ${SUPERUSERS} group is not allowed`;
  throw forbidden(resource, name, why);
}
