import { answerJson, TlsServer } from './tls-server.ts';

interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: any[];
}

type Convert = (object: any, desired: string) => any;

/** `spec.size` of v1 is `spec.width` of every other version. */
export const renameSize: Convert = (object, desired) => {
  const [from, to] = desired.endsWith('/v1') ? ['width', 'size'] : ['size', 'width'];
  const { [from]: value, ...spec } = object.spec ?? {};
  return {
    ...object,
    apiVersion: desired,
    spec: value === undefined ? spec : { ...spec, [to]: value },
  };
};

/** A conversion webhook that remembers what it was asked; tests change what it does. */
export class ConversionWebhook {
  readonly server: TlsServer;
  readonly reviews: ConversionRequest[] = [];
  convert: Convert = renameSize;
  /** In place of an ordinary answer; undefined means that it does not answer. */
  respond: (request: ConversionRequest) => any;
  /** Milliseconds before an answer. */
  delayMs = 0;

  private constructor(server: TlsServer) {
    this.server = server;
    this.respond = (request) => this.succeed(request);
  }

  static async start(): Promise<ConversionWebhook> {
    const server = await TlsServer.start({ handler: () => undefined });
    const webhook = new ConversionWebhook(server);
    server.handler = async (_request, response, body) => {
      const review = JSON.parse(body);
      webhook.reviews.push(review.request);
      if (webhook.delayMs > 0) await new Promise((done) => setTimeout(done, webhook.delayMs));
      const answer = webhook.respond(review.request);
      if (answer === undefined) return;
      answerJson(response, { apiVersion: review.apiVersion, kind: review.kind, response: answer });
    };
    return webhook;
  }

  succeed({ uid, desiredAPIVersion, objects }: ConversionRequest): any {
    const convertedObjects = objects.map((object) => this.convert(object, desiredAPIVersion));
    return { uid, result: { status: 'Success' }, convertedObjects };
  }

  fail({ uid }: ConversionRequest, message: string): any {
    return { uid, result: { status: 'Failure', message }, convertedObjects: [] };
  }

  /** Numbers of objects of the reviews since the last call. */
  asked(): number[] {
    return this.reviews.splice(0).map(({ objects }) => objects.length);
  }

  get clientConfig(): { url: string; caBundle: string } {
    return { url: `${this.server.url}/convert`, caBundle: this.server.caBundle };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** A definition of `gadgets` with versions v1 (stored), v2 and v3, which a webhook converts. */
export function gadgetDefinition(group: string, clientConfig: object): object {
  const field = (type: string): object => ({ type });
  const version = (name: string, own: string): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { [own]: field('integer'), color: field('string') },
          },
          status: { type: 'object', properties: { phase: field('string') } },
        },
      },
    },
    subresources: { status: {} },
    selectableFields: [{ jsonPath: `.spec.${own}` }],
  });
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
      versions: [version('v1', 'size'), version('v2', 'width'), version('v3', 'width')],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig, conversionReviewVersions: ['v1'] },
      },
    },
  };
}
