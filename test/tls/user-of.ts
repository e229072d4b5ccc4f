import { request } from 'node:https';
import type { KeyPair } from '../../access/pki/certificates.ts';
import type { Plinth } from '../support/plinth.ts';

const WHOAMI = '/apis/authentication.cluster.io/v1/selfsubjectreviews';

/** The user of a connection that shows the certificate and then these; undefined: refused. */
export async function userOf(
  plinth: Plinth,
  { certificate, key }: KeyPair,
  chain: readonly KeyPair[] = [],
  headers: Record<string, string> = {},
): Promise<string | undefined> {
  const cert = [certificate, ...chain.map((one) => one.certificate)].join('\n');
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(
      new URL(WHOAMI, plinth.url),
      {
        ...{ method: 'POST', agent: false, rejectUnauthorized: false, cert, key },
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve(body));
      },
    );
    sent.on('error', reject).end('{}');
  });
  return JSON.parse(text).status?.userInfo?.username;
}
