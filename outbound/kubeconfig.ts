import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Endpoint } from './endpoint.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { parseYaml } from '../yaml/parse.ts';

/** Another server, and how this one shows who it is. */
export interface RemoteServer {
  readonly endpoint: Endpoint;
  /** Of the Authorization header; undefined: a certificate, or nothing. */
  readonly authorization: string | undefined;
  /** The files that were read, to notice when they change. */
  readonly files: readonly string[];
}

/**
 * The server that the current context of a kubeconfig names.
 *
 * @throws Error that names file and field
 */
export function readKubeconfig(file: string): RemoteServer {
  try {
    return new KubeconfigReader(file).server();
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

class KubeconfigReader {
  readonly #directory: string;
  readonly #files: string[];
  readonly #config: JsonObject;

  constructor(file: string) {
    this.#directory = dirname(file);
    this.#files = [file];
    const { value } = parseYaml(readFileSync(file, 'utf8'));
    if (!isObject(value)) throw new Error('is not a kubeconfig');
    this.#config = value;
  }

  server(): RemoteServer {
    const context = this.#named('contexts', 'context', text(this.#config['current-context']));
    const cluster = this.#named('clusters', 'cluster', text(context.cluster));
    const user = text(context.user) === '' ? {} : this.#named('users', 'user', text(context.user));
    const endpoint = this.#endpoint(cluster, user);
    return { endpoint, authorization: this.#authorization(user), files: this.#files };
  }

  /** Without a current context, the one that there is. */
  #named(list: string, key: string, name: string): JsonObject {
    const items = this.#config[list];
    if (!Array.isArray(items)) throw new Error(`is not a kubeconfig: it has no ${list}`);
    const entries = items.filter(isObject);
    const found =
      name === '' && entries.length === 1
        ? entries[0]
        : entries.find((entry) => entry.name === name);
    const value = found === undefined ? undefined : getOwn(found, key);
    if (!isObject(value)) throw new Error(`${list} has no ${JSON.stringify(name)}`);
    return value;
  }

  #endpoint(cluster: JsonObject, user: JsonObject): Endpoint {
    const server = text(cluster.server);
    const url = URL.canParse(server) ? new URL(server) : undefined;
    if (url?.protocol !== 'https:') throw new Error('cluster.server must be an https URL');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const certificate = this.#content(user, 'client-certificate');
    const key = this.#content(user, 'client-key');
    if ((certificate === undefined) !== (key === undefined)) {
      throw new Error('client-certificate and client-key must be set together');
    }
    const serverName = text(cluster['tls-server-name']);
    return {
      host,
      port: url.port === '' ? 443 : Number(url.port),
      path: url.pathname + url.search,
      serverName: serverName === '' ? host : serverName,
      service: undefined,
      authorities: this.#content(cluster, 'certificate-authority'),
      insecure: cluster['insecure-skip-tls-verify'] === true,
      ...(certificate === undefined || key === undefined ? {} : { identity: { certificate, key } }),
    };
  }

  #authorization(user: JsonObject): string | undefined {
    const file = text(user.tokenFile);
    const token = file === '' ? text(user.token) : this.#read(file).trim();
    if (token !== '') return `Bearer ${token}`;
    const name = text(user.username);
    if (name === '') return undefined;
    return `Basic ${Buffer.from(`${name}:${text(user.password)}`).toString('base64')}`;
  }

  /** `<key>-data` in base64, or the file that `<key>` names. */
  #content(object: JsonObject, key: string): string | undefined {
    const data = text(object[`${key}-data`]);
    if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
    const file = text(object[key]);
    return file === '' ? undefined : this.#read(file);
  }

  /** Paths are relative to the kubeconfig. */
  #read(file: string): string {
    const path = resolve(this.#directory, file);
    this.#files.push(path);
    return readFileSync(path, 'utf8');
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
