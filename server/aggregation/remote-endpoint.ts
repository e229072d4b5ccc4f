import { authoritiesOf, serviceEndpoint, type Endpoint } from '../../outbound/endpoint.ts';
import type { KeyPair } from '../../access/pki/certificates.ts';
import type { RemoteService } from './api-services.ts';

/** Where the server of a group is called, and as whom. */
export function remoteEndpoint(remote: RemoteService, identity: KeyPair): Endpoint {
  const { namespace, name, port, caBundle, insecure } = remote;
  return {
    ...serviceEndpoint({ namespace, name, port }),
    path: '/',
    authorities: authoritiesOf(caBundle),
    insecure,
    identity,
  };
}
