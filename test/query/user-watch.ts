import { request } from 'node:https';
import type { Plinth } from '../support/plinth.ts';
import { tokenOf } from '../access/people.ts';

/** A watch that a user has opened, and what has come on it. */
export class UserWatch {
  readonly frames: any[] = [];
  readonly status: number;
  readonly warning: string;
  isOver = false;
  close: () => void = () => undefined;

  private constructor(status: number, warning: string) {
    this.status = status;
    this.warning = warning;
  }

  static open(
    plinth: Plinth,
    user: string,
    path: string,
    more: Record<string, string> = {},
  ): Promise<UserWatch> {
    const headers = { authorization: `Bearer ${tokenOf(user)}`, ...more };
    return new Promise((resolve, reject) => {
      const url = new URL(path, plinth.url);
      const sent = request(url, { rejectUnauthorized: false, agent: false, headers }, (answer) => {
        const watch = new UserWatch(answer.statusCode ?? 0, answer.headers.warning ?? '');
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (line !== '') watch.frames.push(JSON.parse(line));
        });
        answer.on('error', () => undefined);
        answer.on('close', () => (watch.isOver = true));
        watch.close = () => sent.destroy();
        resolve(watch);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** `ADDED a/x` of each frame; bookmarks are left out. */
  get told(): string[] {
    return this.frames
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ type, object }) =>
        type === 'ERROR'
          ? `ERROR ${object.code}`
          : `${type} ${object.metadata.namespace}/${object.metadata.name}`,
      );
  }
}
