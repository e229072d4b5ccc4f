import type { ServerResponse } from 'node:http';
import type { KeyPair } from '../../access/pki/certificates.ts';
import type { Plinth } from './plinth.ts';
import { answerJson, TlsServer } from './tls-server.ts';

/** Makes the response of a review; undefined: no answer at all. `uid` is added unless it is there. */
type Answer = (request: any) => any;
/** Answers requests that are not reviews. */
type RawAnswer = (response: ServerResponse, review: any) => void;

/** A JSON patch in a response that allows. */
export const patchWith = (...operations: object[]): any => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const ALLOW: Answer = () => ({ allowed: true });

/** A server of admission webhooks, one for each path; remembers what it was asked. */
export class AdmissionWebhooks {
  readonly server: TlsServer;
  readonly #answers = new Map<string, Answer>();
  readonly #raw = new Map<string, RawAnswer>();
  readonly #reviews: { path: string; review: any }[] = [];

  private constructor(server: TlsServer) {
    this.server = server;
  }

  static async start(tls: { names?: string[]; signer?: KeyPair } = {}): Promise<AdmissionWebhooks> {
    const server = await TlsServer.start({ ...tls, handler: () => undefined });
    const webhooks = new AdmissionWebhooks(server);
    server.handler = async (request, response, body) => {
      const [path = ''] = (request.url ?? '').split('?');
      const review = JSON.parse(body);
      webhooks.#reviews.push({ path, review });
      const raw = webhooks.#raw.get(path);
      if (raw !== undefined) {
        raw(response, review);
        return;
      }
      const answer = await (webhooks.#answers.get(path) ?? ALLOW)(review.request);
      if (answer === undefined) return;
      const { apiVersion, kind } = review;
      answerJson(response, { apiVersion, kind, response: { uid: review.request.uid, ...answer } });
    };
    return webhooks;
  }

  on(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  raw(path: string, answer: RawAnswer): void {
    this.#raw.set(path, answer);
  }

  /** The reviews since the last call; all paths unless one is given. */
  reviews(path?: string): any[] {
    const all = this.#reviews.splice(0);
    return all.filter((one) => path === undefined || one.path === path).map((one) => one.review);
  }

  requests(path?: string): any[] {
    return this.reviews(path).map(({ request }) => request);
  }

  /** Forgets everything that tests have set. */
  reset(): void {
    this.#answers.clear();
    this.#raw.clear();
    this.#reviews.length = 0;
    this.server.requests.length = 0;
  }

  client(path: string): { url: string; caBundle: string } {
    return { url: this.server.url + path, caBundle: this.server.caBundle };
  }

  /** A webhook of a configuration, for writes of Leases unless said otherwise. */
  hook(path: string, fields: object = {}): any {
    return {
      name: `${path.replace(/\W/g, '')}.example.com`,
      clientConfig: this.client(path),
      rules: [LEASES],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...fields,
    };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

export const LEASES = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['coordination.cluster.io'],
  apiVersions: ['v1'],
  resources: ['leases'],
};

const REGISTRATION = '/apis/admissionregistration.cluster.io/v1';
/** Where objects of the group are, by the beginning of their kind's plural. */
export const registration = (plural: string): string => `${REGISTRATION}/${plural}`;

export type Half = 'mutating' | 'validating';

/** Objects of the group that a test has made; they go when it ends. */
export class Registrations {
  readonly #plinth: () => Plinth;
  readonly #made: string[] = [];

  constructor(plinth: () => Plinth) {
    this.#plinth = plinth;
  }

  /** A configuration of webhooks; in force when this returns. */
  webhooks(half: Half, name: string, ...webhooks: any[]): Promise<void> {
    const kind = half === 'mutating' ? 'Mutating' : 'Validating';
    const metadata = { name };
    return this.make(`${half}webhookconfigurations`, {
      kind: `${kind}WebhookConfiguration`,
      metadata,
      webhooks,
    });
  }

  /** Makes an object; this server knows it when this returns. */
  async make(plural: string, object: any): Promise<void> {
    const path = registration(plural);
    const body = { apiVersion: 'admissionregistration.cluster.io/v1', ...object };
    const { status, text } = await this.#plinth().send('POST', path, body);
    if (status !== 201) throw new Error(text);
    this.#made.push(`${path}/${object.metadata.name}`);
    await this.settle();
  }

  /** A read that is not older than itself: afterwards the server's replica has what was written before. */
  async settle(): Promise<void> {
    await this.#plinth().get(registration('mutatingwebhookconfigurations'));
  }

  async clear(): Promise<void> {
    for (const path of this.#made.splice(0).reverse()) await this.#plinth().send('DELETE', path);
    await this.settle();
  }
}

const LEASE_PATH = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
let leases = 0;

/** A Lease that there has not been before. */
export function lease(metadata: object = {}, spec: object = {}): any {
  return {
    apiVersion: 'coordination.cluster.io/v1',
    kind: 'Lease',
    metadata: { name: `lease-${leases++}`, ...metadata },
    spec,
  };
}
export const leasePath = (name = ''): string =>
  name === '' ? LEASE_PATH : `${LEASE_PATH}/${name}`;
