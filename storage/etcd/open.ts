import { systemClock, type Clock } from '../../api/clock.ts';
import { isStoreError, StoreError } from '../errors.ts';
import { Authenticator, type Credentials } from './authenticator.ts';
import { EtcdCallError, toStoreError } from './call-error.ts';
import type { EtcdClient } from './client.ts';
import { Cluster } from './cluster.ts';
import { H2Client } from './h2-client.ts';
import { KeySpace } from './key-space.ts';
import { EtcdStore } from './store.ts';
import { readTlsFiles, type EtcdTlsFiles } from './tls-files.ts';
import { CAUTIOUS, commonFeatures, featuresOf, type EtcdFeatures } from './version.ts';

export interface EtcdOptions {
  /** `http://host:port` or `https://host:port` of each member. */
  endpoints: readonly string[];
  /** Where the registry's keys lie; as kube-apiserver's `--etcd-prefix`. */
  prefix?: string | undefined;
  tls?: EtcdTlsFiles | undefined;
  auth?: Credentials | undefined;
  clock?: Clock;
  random?: () => number;
}

const DEFAULT_PREFIX = '/registry';
const START_TIMEOUT_MS = 5_000;

/**
 * Connects to an etcd cluster and makes sure that it can be used. Members that
 * are down are left for later as long as one answers.
 *
 * @throws StoreError whose message is one line for the user: not reachable,
 *   too old, other clusters mixed in, credentials refused, files not readable
 */
export async function openEtcdStore(options: EtcdOptions): Promise<EtcdStore> {
  const { auth, clock = systemClock, random = Math.random } = options;
  const endpoints = [...new Set(options.endpoints)].map(checkEndpoint);
  if (endpoints.length === 0) throw new StoreError('unavailable', 'no etcd endpoint is given');
  checkSchemes(endpoints);
  const tls = await readTlsFiles(options.tls ?? {}, endpoints);
  const clients = endpoints.map((endpoint) => new H2Client(endpoint, tls));
  const cluster = new Cluster(clients, new Authenticator(auth), clock);
  try {
    const features = await checkMembers(cluster);
    const prefix = options.prefix ?? DEFAULT_PREFIX;
    const keys = new KeySpace(prefix);
    const access = { prefix, tls, auth };
    const store = new EtcdStore({ cluster, keys, access, clock, random, features });
    await store.currentRevision();
    return store;
  } catch (error) {
    cluster.close();
    throw oneLine(error);
  }
}

function checkEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const scheme = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !scheme || url.host === '') {
    throw new StoreError('unavailable', `etcd member is not an http(s) URL: ${endpoint}`);
  }
  return url.origin;
}

function checkSchemes(endpoints: readonly string[]): void {
  const secure = endpoints.filter((endpoint) => endpoint.startsWith('https:'));
  if (secure.length !== 0 && secure.length !== endpoints.length) {
    throw new StoreError('unavailable', 'etcd endpoints mix http and https');
  }
}

/** Asks every member for its version; the features that all who answer have in common. */
async function checkMembers(cluster: Cluster): Promise<EtcdFeatures> {
  const answers = await Promise.allSettled(
    cluster.clients.map((client) => memberOf(cluster, client)),
  );
  const members: Member[] = [];
  let failure: unknown;
  for (const answer of answers) {
    if (answer.status === 'fulfilled') members.push(answer.value);
    else if (answer.reason instanceof StoreError) throw answer.reason;
    else failure ??= answer.reason;
  }
  if (members.length === 0) throw unreachable(cluster, failure);
  const ids = new Set(members.map(({ clusterId }) => clusterId).filter((id) => id !== undefined));
  if (ids.size > 1) {
    const list = members.map(({ endpoint, clusterId }) => `${endpoint} (${clusterId ?? '?'})`);
    throw new StoreError(
      'unavailable',
      `etcd endpoints belong to different clusters: ${list.join(', ')}`,
    );
  }
  // Calls begin with a member that is up.
  for (const [index, answer] of answers.entries()) {
    const client = cluster.clients[index];
    if (answer.status === 'fulfilled' || client === undefined) break;
    cluster.moveOn(client);
  }
  return commonFeatures(members.map(({ features }) => features));
}

interface Member {
  endpoint: string;
  clusterId: bigint | undefined;
  features: EtcdFeatures;
}

async function memberOf(cluster: Cluster, client: EtcdClient): Promise<Member> {
  const { endpoint } = client;
  try {
    const { version, header } = await cluster.status(client, START_TIMEOUT_MS);
    return { endpoint, clusterId: header.clusterId, features: featuresOf(version, endpoint) };
  } catch (error) {
    if (!(error instanceof EtcdCallError)) throw error;
    // An etcd that hides its status from this user is up, all the same.
    const hidden = error.failure === 'denied' && error.message.includes('permission denied');
    if (hidden) return { endpoint, clusterId: undefined, features: CAUTIOUS };
    if (error.failure === 'denied' || error.failure === 'token') throw toStoreError(error);
    throw error;
  }
}

function unreachable(cluster: Cluster, failure: unknown): StoreError {
  const where = cluster.clients.map(({ endpoint }) => endpoint).join(', ');
  const detail = failure instanceof Error ? failure.message : 'no answer';
  const isOne = cluster.clients.length === 1;
  const reason = detail.replace(isOne ? /^\S+: no connection: / : /(?<=^\S+: )no connection: /, '');
  return new StoreError('unavailable', `etcd is not reachable at ${where}: ${reason}`, {
    cause: failure,
  });
}

function oneLine(error: unknown): unknown {
  if (!isStoreError(error)) return error;
  const message = error.message.replace(/\s*[\r\n]+\s*/g, ' ');
  return new StoreError(error.code, message, { cause: error });
}
