import { Agent, request } from 'node:https';
import { TOKEN } from '../cluster/cluster.ts';

export interface Answer {
  readonly status: number;
  readonly json: any;
}

/** No whole answer came; what was asked for may have happened. */
export class NoAnswer extends Error {}

/** The connections of one client. */
export class Http {
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 4 });
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws NoAnswer */
  async send(
    url: string,
    method: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer> {
    const { status, text } = await this.#whole(url, method, body, type);
    try {
      return { status, json: JSON.parse(text) };
    } catch (error) {
      throw new NoAnswer('no JSON', { cause: error });
    }
  }

  /** @throws NoAnswer */
  async text(url: string): Promise<string> {
    return (await this.#whole(url, 'GET')).text;
  }

  #whole(
    url: string,
    method: string,
    body?: unknown,
    type = '',
  ): Promise<{ status: number; text: string }> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new NoAnswer(error.message, { cause: error }));
      const req = request(
        url,
        {
          method,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${TOKEN}`,
            // Node would send the body of a DELETE without saying how long it is.
            ...(payload === undefined
              ? {}
              : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
          },
        },
        (res) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk));
          res.on('error', fail);
          res.on('aborted', () => fail(new Error('cut')));
          res.on('end', () => {
            resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
          });
        },
      );
      const timer = setTimeout(() => req.destroy(new Error('late')), this.#timeoutMs);
      req.on('close', () => clearTimeout(timer));
      req.on('error', fail);
      req.end(payload);
    });
  }

  /**
   * Frames of a watch until it ends, for whatever reason.
   *
   * @param body of a POST; a GET when absent
   * @returns the status, and the answer when it is not a stream
   */
  stream(
    url: string,
    onFrame: (frame: any) => void,
    signal: AbortSignal,
    body?: object,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      let status = 0;
      let rest = '';
      const req = request(
        url,
        {
          method: body === undefined ? 'GET' : 'POST',
          agent: this.#agent,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        },
        (res) => {
          clearTimeout(timer);
          status = res.statusCode ?? 0;
          res.setEncoding('utf8');
          res.on('data', (chunk: string) => {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop()!;
            if (status === 200) for (const line of lines) onFrame(JSON.parse(line));
          });
          res.on('error', () => undefined);
          res.on('close', () => end());
        },
      );
      const stop = (): void => void req.destroy();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve({ status, json: status === 200 ? undefined : parsed(rest) });
      };
      const timer = setTimeout(stop, this.#timeoutMs);
      signal.addEventListener('abort', stop);
      req.on('error', () => end());
      req.on('close', () => end());
      req.end(body === undefined ? undefined : JSON.stringify(body));
      if (signal.aborted) stop();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
