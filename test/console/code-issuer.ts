import { createHash } from 'node:crypto';
import { Issuer } from '../access/issuer.ts';
import { answerJson } from '../support/tls-server.ts';

interface Asked {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** An issuer that signs people in: pages are left out, `approve` is what a person does there. */
export class CodeIssuer {
  readonly issuer: Issuer;
  readonly #codes = new Map<string, Asked>();
  /** In place of the nonce that was asked for. */
  otherNonce: string | undefined;
  /** Requests for tokens that were refused. */
  refusals = 0;

  private constructor(issuer: Issuer) {
    this.issuer = issuer;
  }

  static async start(): Promise<CodeIssuer> {
    const issuer = await Issuer.start();
    const made = new CodeIssuer(issuer);
    const { handler } = issuer.server;
    issuer.server.handler = async (request, response, body) => {
      const { url } = issuer;
      if (request.url === '/.well-known/openid-configuration') {
        const ends = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
        answerJson(response, { issuer: url, jwks_uri: `${url}/keys`, ...ends });
      } else if (request.url?.startsWith('/authorize?') === true) {
        // what a person would agree to on a page
        const asked = new URL(request.url, url);
        const back = new URL(made.approve(asked.href), asked.searchParams.get('redirect_uri')!);
        response.writeHead(303, { location: back.href }).end();
      } else if (request.url === '/token') {
        const answer = await made.#token(new URLSearchParams(body));
        answerJson(
          response,
          answer ?? { error: 'invalid_grant' },
          answer === undefined ? 400 : 200,
        );
      } else await handler(request, response, body);
    };
    return made;
  }

  /** What the browser was led to, approved: the path to which it is led back. */
  approve(location: string): string {
    const { origin, pathname, searchParams: asked } = new URL(location);
    if (`${origin}${pathname}` !== `${this.issuer.url}/authorize`) throw new Error(location);
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('no PKCE');
    const code = `code-${this.#codes.size}`;
    const redirectUri = asked.get('redirect_uri')!;
    const [nonce, challenge] = [asked.get('nonce')!, asked.get('code_challenge')!];
    this.#codes.set(code, { nonce, challenge, redirectUri });
    return `${new URL(redirectUri).pathname}?code=${code}&state=${asked.get('state')}`;
  }

  async #token(form: URLSearchParams): Promise<object | undefined> {
    const asked = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isRight =
      asked?.challenge === challenge && asked.redirectUri === form.get('redirect_uri');
    if (asked === undefined || !isRight) {
      this.refusals++;
      return undefined;
    }
    const nonce = this.otherNonce ?? asked.nonce;
    return { id_token: await this.issuer.token({ sub: 'ann', nonce }), token_type: 'Bearer' };
  }

  close(): Promise<void> {
    return this.issuer.close();
  }
}
