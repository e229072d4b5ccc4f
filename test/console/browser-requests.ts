import { request } from 'node:https';
import type { Plinth } from '../support/plinth.ts';

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: any;
  readonly json: any;
}

/** A request of a browser that has no client certificate. */
export function ask(
  plinth: Plinth,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<BrowserAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, rejectUnauthorized: false, agent: false as const };
    const sent = request(new URL(path, plinth.url), options, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => {
        const json = text.startsWith('{') ? JSON.parse(text) : undefined;
        resolve({ status: res.statusCode!, headers: res.headers, json });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** `name=value` of the first cookie that an answer sets. */
export function cookieOf({ headers }: BrowserAnswer): string {
  return String(headers['set-cookie']).split(';')[0]!;
}
