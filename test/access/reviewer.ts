import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { answerJson, TlsServer } from '../support/tls-server.ts';

/** Another server that answers reviews by what a test decides. */
export class Reviewer {
  readonly server: TlsServer;
  readonly asked: any[] = [];
  answer: (spec: any, response: ServerResponse) => object | undefined = () => ({});

  private constructor(server: TlsServer) {
    this.server = server;
  }

  static async start(): Promise<Reviewer> {
    const server = await TlsServer.start({ handler: () => undefined });
    const reviewer = new Reviewer(server);
    server.handler = (_, response, body) => {
      const review = JSON.parse(body);
      reviewer.asked.push(review);
      const status = reviewer.answer(review.spec, response);
      if (status !== undefined) answerJson(response, { ...review, status });
    };
    return reviewer;
  }

  fail(answer: object): void {
    this.answer = (_, response) => {
      answerJson(response, answer, 500);
      return undefined;
    };
  }

  kubeconfig(directory: string, user: object = { token: 'token-of-plinth' }): string {
    const file = join(directory, 'webhook.kubeconfig');
    const name = 'hook';
    const { url, caBundle } = this.server;
    const cluster = { server: `${url}/reviews`, 'certificate-authority-data': caBundle };
    writeFileSync(
      file,
      stringify({
        clusters: [{ name, cluster }],
        users: [{ name, user }],
        contexts: [{ name, context: { cluster: name, user: name } }],
        'current-context': name,
      }),
    );
    return file;
  }
}
