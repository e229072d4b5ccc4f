import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plinth, type PlinthOptions, type Reply } from '../support/plinth.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';

/** A server with users who come with tokens, and hands to give them rights. */
export class People {
  readonly plinth: Plinth;
  readonly directory: string;

  private constructor(plinth: Plinth, directory: string) {
    this.plinth = plinth;
    this.directory = directory;
  }

  /** `users`: names, with their groups. */
  static async start(
    users: Readonly<Record<string, readonly string[]>>,
    options: PlinthOptions = {},
  ): Promise<People> {
    const directory = mkdtempSync(join(tmpdir(), 'plinth-people-'));
    const file = join(directory, 'tokens.csv');
    const lines = Object.entries(users).map(
      ([name, groups]) => `${tokenOf(name)},${name},uid-${name},"${groups.join(',')}"\n`,
    );
    writeFileSync(file, lines.join(''));
    const args = ['--token-auth-file', file, ...(options.args ?? [])];
    return new People(await Plinth.start({ ...options, args }), directory);
  }

  async dispose(): Promise<void> {
    await this.plinth.dispose();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A request of one of the users; without credentials when the user is undefined. */
  as(
    user: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const authorization = user === undefined ? '' : `Bearer ${tokenOf(user)}`;
    return this.plinth.send(method, path, body, { authorization, ...headers });
  }

  /** The administrator's request, which must succeed. */
  async make(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await this.plinth.send(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply;
  }

  /** Makes a role or a binding, and has the server read a list, for which it waits until it has seen it. */
  async #makeRights(path: string, body: unknown): Promise<void> {
    await this.make('POST', path, body);
    await this.make('GET', `${path}?limit=1`);
  }

  async namespace(name: string): Promise<void> {
    await this.make('POST', '/api/v1/namespaces', { metadata: { name } });
  }

  async clusterRole(name: string, rules: readonly object[]): Promise<void> {
    await this.#makeRights(`${RBAC}/clusterroles`, { metadata: { name }, rules });
  }

  async role(namespace: string, name: string, rules: readonly object[]): Promise<void> {
    const path = `${RBAC}/namespaces/${namespace}/roles`;
    await this.#makeRights(path, { metadata: { name }, rules });
  }

  /** Gives a ClusterRole to a user: everywhere, or in one namespace. */
  async grant(user: string, role: string, namespace?: string, kind = 'ClusterRole'): Promise<void> {
    const path =
      namespace === undefined
        ? `${RBAC}/clusterrolebindings`
        : `${RBAC}/namespaces/${namespace}/rolebindings`;
    await this.#makeRights(path, {
      metadata: { name: `${user}:${role}` },
      roleRef: { kind, name: role },
      subjects: [{ kind: 'User', name: user }],
    });
  }
}

export function tokenOf(user: string): string {
  return `token-of-${user}-0123456789`;
}

/** A rule on resources. */
export function rule(verbs: string, group: string, resources: string, names?: string): object {
  return {
    verbs: verbs.split(' '),
    apiGroups: [group],
    resources: resources.split(' '),
    ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
  };
}

/** Refused by authorization, in its own words. */
export function isRefused({ status, json }: Reply): boolean {
  return status === 403 && / cannot \S+ (?:resource|path) /.test(json?.message ?? '');
}
