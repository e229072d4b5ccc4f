import { ApiError, badRequest, tooManyRequests, unknownResource } from '../api/api-error.ts';
import { getOwn, isObject, type JsonValue } from '../api/json.ts';
import type { OpenStreams } from '../access/authorization/open-streams.ts';
import type { FollowedPart, VisibleParts } from '../access/authorization/parts/visible-parts.ts';
import type { Authorizer } from '../access/authorization/authorizer.ts';
import type { Exchange } from '../http/exchange.ts';
import { listOptionsFrom, type ListOptions } from '../registry/list-options.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { prepared } from '../registry/prepared.ts';
import { turnToCompile } from '../registry/turn-to-compile.ts';
import { projectionFrom } from '../registry/projection.ts';
import type { Selectors } from '../registry/selectors.ts';
import { translateStoreError } from '../storage/translate-error.ts';
import { watchedPart } from '../registry/watch.ts';
import type { MemberRequest } from '../watch/union-member.ts';
import type { UnionStream } from '../watch/union-stream.ts';
import { ObjectEncoder, projectedEncoder, TableEncoder } from '../wire/watch-encoder.ts';
import type { Encoder } from '../watch/frames.ts';
import { META_GROUP } from '../registry/write-options.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { askedOf, isForPart, noteForAudit, refusalFor, type Asked } from './asked.ts';
import { jsonOf } from './body.ts';
import { MAX_QUESTIONS, questionsOf, quoted, type Question } from './question.ts';

export interface CommandsOptions {
  readonly parts: RegistryParts;
  readonly authorizer: Authorizer;
  /** Asks again, while a stream lasts, whether it is still allowed. */
  readonly streams: OpenStreams;
  readonly aliases: boolean;
  /** What users may see of collections. */
  readonly visible: VisibleParts;
  /** What the selectors of a user's open watches may take together. */
  readonly selectors: SelectorBudget;
}

interface SelectorBudget {
  /** @throws ApiError 429 */
  check(user: string, sent: Selectors): void;
  /** Counts a watch; the answer is called once when it has ended. */
  open(user: string, sent: Selectors): () => void;
}

/** Seconds after which a client that has too much on one stream may try again. */
const RETRY_SECONDS = 1;

/** What a client adds to its stream and removes from it. */
export class Commands {
  readonly #options: CommandsOptions;
  readonly #exchange: Exchange;
  readonly #union: UnionStream;
  readonly #resourceVersion: string;
  /** Commands take effect in the order in which they were sent. */
  #last: Promise<void> | undefined;

  /** `resourceVersion`: where those begin that do not say it; empty: with a state. */
  constructor(
    options: CommandsOptions,
    exchange: Exchange,
    union: UnionStream,
    resourceVersion: string,
  ) {
    this.#options = options;
    this.#exchange = exchange;
    this.#union = union;
    this.#resourceVersion = resourceVersion;
  }

  /** A message of the client: `{"add": […]}`, `{"remove": ["id"]}`, or both. Settles when it has taken effect. */
  message(bytes: Buffer): Promise<void> {
    const run = (): Promise<void> => this.#obey(bytes);
    this.#last = this.#last?.then(run) ?? run();
    return this.#last;
  }

  /** What the stream begins with. Never rejects: what is wrong with one of them is an ERROR frame. */
  begin(questions: readonly Question[]): void {
    this.#last = this.#add(questions);
  }

  async #add(questions: readonly Question[]): Promise<void> {
    try {
      await this.#options.parts.reader.freshness.fresh();
    } catch (error) {
      this.#union.closeWithError(failureOf(error));
      return;
    }
    const asked = await Promise.all(questions.map((each, i) => this.#accepted(each, i)));
    // begun together, so that their events come in the order of the log from the first one on
    this.#union.add(asked.flatMap((member) => member ?? []));
  }

  async #obey(bytes: Buffer): Promise<void> {
    try {
      const { add, remove } = commandsOf(bytes);
      for (const id of remove) {
        if (!this.#union.remove(id))
          this.#union.refuse(id, badRequest(`the id ${quoted(id)} does not exist`));
      }
      if (add.length > 0) await this.#add(add);
    } catch (error) {
      this.#union.refuse('', failureOf(error));
    }
    await this.#union.settled();
  }

  /** `before`: how many are added with it. */
  async #accepted(question: Question, before: number): Promise<MemberRequest | undefined> {
    const { id } = question;
    // a name in use means what it meant before
    if (this.#union.has(id)) {
      this.#union.refuse(id, badRequest(`the id ${quoted(id)} is in use`));
      return undefined;
    }
    try {
      if (this.#union.size + before >= MAX_QUESTIONS) {
        const why = `a stream has at most ${MAX_QUESTIONS} subscriptions`;
        throw tooManyRequests(why, RETRY_SECONDS);
      }
      return await this.#memberOf(question);
    } catch (error) {
      this.#union.refuse(id, failureOf(error));
      return undefined;
    }
  }

  /** @throws ApiError, StoreError */
  async #memberOf(question: Question): Promise<MemberRequest> {
    const { parts, authorizer, aliases } = this.#options;
    const asking = { catalog: parts.catalog, user: this.#exchange.user, aliases };
    const asked = askedOf(asking, question, 'watch');
    const rights = isForPart(asked) ? this.#options.visible.follow(asked.attributes) : undefined;
    const refusal = rights === undefined ? await refusalFor(authorizer, asked) : undefined;
    if (refusal !== undefined) throw refusal;
    noteForAudit(this.#exchange, asked);
    const { target } = asked;
    await turnToCompile(target.resource, question.query);
    await prepared(target.resource, 'watch', parts.clock);
    const query = new URLSearchParams(question.query);
    if (!query.has('resourceVersion') && this.#resourceVersion !== '') {
      query.set('resourceVersion', this.#resourceVersion);
    }
    // the state comes unless a revision says where the changes begin
    if (query.has('sendInitialEvents')) query.set('resourceVersionMatch', 'NotOlderThan');
    const options = { ...listOptionsFrom(query, true), allowWatchBookmarks: true, rights };
    this.#options.selectors.check(asked.attributes.user.name, options);
    const { start, scope } = await watchedPart(parts, target, options);
    const forget = this.#followed(asked, options, rights);
    return {
      ...{ id: question.id, prefix: target.resource.prefix, scope, start, onEnd: forget },
      encoder: encoderOf(question, target.resource, parts),
    };
  }

  /** Cuts a part when the right to it goes, or its resource. Returns what ends that. */
  #followed(
    { question, target, attributes }: Asked,
    options: ListOptions,
    rights: FollowedPart | undefined,
  ): () => void {
    const { parts, streams, selectors } = this.#options;
    const close = selectors.open(attributes.user.name, options);
    const { identity } = this.#exchange;
    const { id } = question;
    const forgetRight =
      identity &&
      streams.follow(
        attributes,
        identity,
        (error) => this.#union.end(id, error),
        rights && ((user) => rights.renew(user)),
      );
    const forgetRights = rights?.listen(() => this.#union.pump());
    const { resource } = target;
    const forgetEnd = resource.definition.builtin
      ? undefined
      : parts.catalog.onEnd(resource, () => this.#union.endLater(id, unknownResource()));
    return () => {
      close();
      forgetRight?.();
      forgetRights?.();
      forgetEnd?.();
    };
  }
}

/**
 * How the objects of a subscription look: whole, or each as a table with one row,
 * whose object is the metadata without managed fields.
 *
 * @throws ApiError 400
 */
function encoderOf(
  { query }: Question,
  resource: ServedResource,
  { views, clock }: RegistryParts,
): Encoder {
  const as = query.get('as');
  const projection = projectionFrom(query, resource);
  if (as === null) {
    return projection === undefined
      ? new ObjectEncoder(resource, views)
      : projectedEncoder(resource, views, projection);
  }
  if (as !== 'Table') throw badRequest(`as: must be "Table", got ${quoted(as)}`);
  const conversion = { kind: as, apiVersion: `${META_GROUP}/v1` } as const;
  return new TableEncoder(resource, views, { conversion, include: 'Brief', clock });
}

interface CommandMessage {
  readonly add: readonly Question[];
  readonly remove: readonly string[];
}

/** @throws ApiError 400 */
function commandsOf(bytes: Buffer): CommandMessage {
  const sent = jsonOf(bytes);
  if (!isObject(sent)) throw badRequest('a message must be an object');
  for (const name of Object.keys(sent)) {
    if (name !== 'add' && name !== 'remove') {
      throw badRequest(`unknown field ${quoted(name)}: a message has add and remove`);
    }
  }
  const add = getOwn(sent, 'add');
  return {
    add: add === undefined ? [] : questionsOf(add, 'add'),
    remove: idsOf(getOwn(sent, 'remove')),
  };
}

function idsOf(value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.length <= MAX_QUESTIONS;
  if (!isList || !value.every((id) => typeof id === 'string')) {
    throw badRequest(`remove: must be a list of at most ${MAX_QUESTIONS} ids`);
  }
  return value;
}

function failureOf(error: unknown): ApiError {
  return ApiError.from(translateStoreError(error));
}
