import type { HttpsAnswer, HttpsClient } from '../../outbound/https-client.ts';
import { SUPERUSERS, type UserInfo } from '../../api/user.ts';
import type { KeyPair } from '../../access/pki/certificates.ts';
import type { RemoteService } from './api-services.ts';
import { remoteUserHeaders } from './identity-headers.ts';
import { remoteEndpoint } from './remote-endpoint.ts';

/** As whom this server asks others on its own account. */
const AGGREGATOR: UserInfo = {
  name: 'system:aggregator',
  uid: '',
  groups: [SUPERUSERS],
  extra: {},
};

interface RemoteCallerOptions {
  readonly client: HttpsClient;
  readonly identity: () => KeyPair;
}

interface RemoteCall {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Calls servers of APIServices on this server's own account. */
export class RemoteCaller {
  readonly #options: RemoteCallerOptions;

  constructor(options: RemoteCallerOptions) {
    this.#options = options;
  }

  /**
   * The answer, whatever its status.
   *
   * @throws CallError
   */
  call(remote: RemoteService, call: RemoteCall): Promise<HttpsAnswer> {
    const { client, identity } = this.#options;
    const { method = 'GET', path, accept = 'application/json', ...limits } = call;
    return client.call({
      endpoint: remoteEndpoint(remote, identity()),
      method,
      path,
      headers: { ...remoteUserHeaders(AGGREGATOR), accept, 'user-agent': 'plinth-aggregator' },
      ...limits,
    });
  }
}
