import type { Content, Operation, Version, Write, WriteOutcome } from '../checker/history.ts';
import { contentOfNote } from '../cluster/truth-collector.ts';
import { Client, type ClientOptions } from './client.ts';
import { NoAnswer, type Answer } from './http.ts';
import { COLLECTION, COLORS, noteOf } from './place.ts';

const PAUSE_MS = 40;
/** Few keys, so that clients meet. */
const KEYS = 12;
/** Answers to what has been refused before it was tried, or was never possible. */
const REFUSED = new Set([400, 401, 403, 405, 413, 415, 422, 429]);

type Verb = Write['verb'];

/** One client that reads, lists and writes, one operation after the other. */
export class Actor extends Client {
  readonly #name: string;
  /** The versions that this client has seen last; some are old, as clients' knowledge is. */
  readonly #known = new Map<string, bigint>();
  #number = 0;

  constructor(name: string, options: ClientOptions) {
    super(options, PAUSE_MS);
    this.#name = name;
  }

  protected async turn(): Promise<void> {
    const key = `note-${this.random.below(KEYS)}`;
    const dice = this.random.next();
    if (dice < 0.3) await this.#read(key);
    else if (dice < 0.4) await this.#list();
    else await this.#change(key);
  }

  /** Creates an object that was not there, until it is acknowledged. */
  async insist(key: string, color: string): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const outcome = await this.#write('create', `${key}-${attempt}`, color);
      if (outcome.kind === 'applied') return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('the cluster takes no writes any more');
  }

  async #read(key: string): Promise<void> {
    const { answer, ...times } = await this.#ask('GET', `/${key}`);
    this.recorder.count(`get ${answer?.status ?? 'no answer'}`);
    if (answer?.status === 404) {
      this.#known.delete(key);
      this.recorder.reads.push({ ...times, key, found: undefined });
    } else if (answer?.status === 200) {
      this.recorder.reads.push({ ...times, key, found: this.#learn(answer.json) });
    }
  }

  async #list(): Promise<void> {
    const color = this.random.pick([undefined, ...COLORS]);
    const selector = color === undefined ? '' : `&labelSelector=color%3D${color}`;
    const old = this.random.next() < 0.2;
    const limit = this.random.next() < 0.5 ? 5 : 500;
    const items: Version[] = [];
    const pages: bigint[] = [];
    let continuation = '';
    let first: Operation | undefined;
    do {
      const from =
        continuation === '' ? (old ? '&resourceVersion=0' : '') : `&continue=${continuation}`;
      // At resourceVersion=0 a limit is of no effect.
      const { answer, ...times } = await this.#ask('GET', `?limit=${limit}${selector}${from}`);
      this.recorder.count(`list ${answer?.status ?? 'no answer'}`);
      if (answer?.status !== 200) return;
      first ??= times;
      for (const item of answer.json.items) items.push(this.#learn(item));
      continuation = encodeURIComponent(answer.json.metadata.continue ?? '');
      const revision = BigInt(answer.json.metadata.resourceVersion);
      pages.push(revision);
      if (continuation !== '') continue;
      this.recorder.lists.push({ ...first, linearizable: !old, color, revision, pages, items });
    } while (continuation !== '');
  }

  async #change(key: string): Promise<void> {
    const dice = this.random.next();
    const known = this.#known.has(key);
    const verb: Verb = !known
      ? 'create'
      : dice < 0.45
        ? 'update'
        : dice < 0.75
          ? 'patch'
          : 'delete';
    await this.#write(verb, key, this.random.pick(COLORS));
  }

  async #write(verb: Verb, key: string, color: string): Promise<WriteOutcome> {
    const content = { value: `${this.#name}-${this.#number++}`, color };
    const expected = this.#known.get(key);
    const { answer, client, called, returned } = await this.#sendWrite(
      verb,
      key,
      content,
      expected,
    );
    this.recorder.count(`${verb} ${answer?.status ?? 'no answer'}`);
    const outcome = outcomeOf(verb, answer);
    this.recorder.writes.push({
      client,
      called,
      returned: outcome.kind === 'unknown' ? Infinity : returned,
      verb,
      key,
      ...(verb === 'delete' ? {} : { content }),
      ...(verb === 'update' || verb === 'delete' ? { expected: expected ?? 0n } : {}),
      outcome,
    });
    if (outcome.kind === 'applied' && verb !== 'delete') this.#learn(answer?.json);
    else this.#known.delete(key);
    if (outcome.kind === 'refused' && outcome.why !== 'missing') await this.#read(key);
    return outcome;
  }

  #sendWrite(
    verb: Verb,
    key: string,
    content: Content,
    expected: bigint | undefined,
  ): Promise<Asked> {
    switch (verb) {
      case 'create':
        return this.#ask('POST', '', noteOf(key, content));
      case 'update':
        return this.#ask('PUT', `/${key}`, noteOf(key, content, expected));
      case 'patch': {
        const patch = { metadata: { labels: { color: content.color } }, spec: content };
        return this.#ask('PATCH', `/${key}`, patch, 'application/merge-patch+json');
      }
      case 'delete':
        return this.#ask('DELETE', `/${key}`, {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { resourceVersion: String(expected) },
        });
    }
  }

  async #ask(method: string, path: string, body?: unknown, type?: string): Promise<Asked> {
    const server = this.choose();
    const url = `${server}${COLLECTION}${path}`;
    const called = performance.now();
    const done = (answer: Answer | undefined): Asked => {
      return { client: this.#name, server, called, returned: performance.now(), answer };
    };
    try {
      return done(await this.http.send(url, method, body, type));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return done(undefined);
    }
  }

  #learn(note: any): Version {
    const { name, resourceVersion } = note.metadata;
    const version = { key: name, revision: BigInt(resourceVersion), ...contentOfNote(note) };
    this.#known.set(name, version.revision);
    return version;
  }
}

type Asked = Operation & { readonly answer: Answer | undefined };

function outcomeOf(verb: Verb, answer: Answer | undefined): WriteOutcome {
  const status = answer?.status ?? 0;
  if (status === 200 || status === 201) {
    const revision = verb === 'delete' ? undefined : BigInt(answer?.json.metadata.resourceVersion);
    return { kind: 'applied', revision };
  }
  if (status === 404) return { kind: 'refused', why: 'missing' };
  if (status === 409) {
    const exists = answer?.json.reason === 'AlreadyExists';
    return { kind: 'refused', why: exists ? 'exists' : 'conflict' };
  }
  return REFUSED.has(status) ? { kind: 'refused', why: 'other' } : { kind: 'unknown' };
}
