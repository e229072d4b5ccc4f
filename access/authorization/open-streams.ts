import { ApiError, unauthorized } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { Turn } from '../../api/turn.ts';
import type { UserInfo } from '../../api/user.ts';
import type { FrameSink } from '../../watch/frame-sink.ts';
import type { StreamIdentity } from '../../http/exchange.ts';
import { failStream, isPushed, type ApiResponse, type PushControl } from '../../http/message.ts';
import { secretDigest } from '../authentication/token-digest.ts';
import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
import { Decisions } from './decisions.ts';
import { refusalOf } from './refusal.ts';

/** Questions to other servers that are under way at once. */
const MAX_ASKED = 16;
/** An answer that takes longer is waited for apart from the round. */
const PATIENCE_MS = 1_000;
/** Answers that end a stream; others say that something could not be decided. */
const FINAL: ReadonlySet<number> = new Set([401, 403]);

interface OpenStreamsOptions {
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** From the start of a round to that of the next one. */
  readonly periodMs: number;
}

/** Ends a stream, or a part of one, and tells the client why where the protocol can. */
type End = (error: ApiError) => void;

/** Told who the user of a stream is, each time its credentials have been looked at. */
type Renew = (user: UserInfo) => void;

/** A stream, or a part of one. */
interface Followed {
  readonly end: End;
  /** Set where the stream follows the rights of its user by itself: only its credentials are asked about. */
  readonly renew: Renew | undefined;
}

/** Streams that ask the same thing with the same credentials: one question decides for all. */
interface Group {
  readonly key: string;
  readonly attributes: AuthorizationAttributes;
  readonly identity: StreamIdentity;
  readonly streams: Set<Followed>;
  isAsked: boolean;
  /** The last answer was waited for: it no longer holds up those that are known at once. */
  isSlow: boolean;
}

/**
 * Authenticates and authorizes open streams again while they last, in rounds: a
 * stream does not outlive its credentials, or the right to it, by more than a
 * period and the time of the round. What cannot be decided ends nothing.
 */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #groups = new Map<string, Group>();
  #isArmed = false;
  #isAskingSlow = false;

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
  }

  /**
   * The answer to an authorized request; a stream in it is followed until it ends.
   * `renew`: it follows the rights of its user by itself, and is told who that is.
   */
  followed(
    attributes: AuthorizationAttributes,
    identity: StreamIdentity,
    response: ApiResponse,
    renew?: Renew,
  ): ApiResponse {
    const { body } = response;
    if (Buffer.isBuffer(body) || !isPushed(body)) return response;
    const start = (sink: FrameSink): PushControl => {
      const state = { isOver: false };
      let group: Group | undefined;
      const forget = (): void => this.#remove(group, followed);
      const finish = (): void => {
        forget();
        if (!state.isOver) sink.end();
        state.isOver = true;
      };
      const end: End = (error) => {
        failStream(control, error);
        finish();
      };
      const followed = { end, renew };
      const control = body.start({
        write: (frame, lengths) => sink.write(frame, lengths),
        end: finish,
      });
      if (!state.isOver) group = this.#add(attributes, identity, followed);
      return {
        resume: () => control.resume(),
        close() {
          forget();
          control.close();
        },
        receive: (bytes) => control.receive?.(bytes),
      };
    };
    return { ...response, body: { start, discard: () => body.discard?.() } };
  }

  /** Follows a part of a stream, which `end` ends. Returns what stops it. */
  follow(
    attributes: AuthorizationAttributes,
    identity: StreamIdentity,
    end: End,
    renew?: Renew,
  ): () => void {
    const followed = { end, renew };
    const group = this.#add(attributes, identity, followed);
    return () => this.#remove(group, followed);
  }

  #add(attributes: AuthorizationAttributes, identity: StreamIdentity, followed: Followed): Group {
    const isRenewed = followed.renew !== undefined;
    const key = secretDigest(JSON.stringify([identity.key, attributes, isRenewed]));
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { key, attributes, identity, streams: new Set(), isAsked: false, isSlow: false };
      this.#groups.set(key, group);
    }
    group.streams.add(followed);
    this.#arm();
    return group;
  }

  #remove(group: Group | undefined, followed: Followed): void {
    if (group?.streams.delete(followed) !== true) return;
    if (group.streams.size === 0) this.#groups.delete(group.key);
  }

  #arm(): void {
    if (this.#isArmed || this.#groups.size === 0) return;
    this.#isArmed = true;
    this.#options.clock.after(this.#options.periodMs, () => {
      void this.#round().finally(() => {
        this.#isArmed = false;
        this.#arm();
      });
    });
  }

  /** Those that wait for other servers are asked apart, so that the others are never late. */
  async #round(): Promise<void> {
    const decisions = new Decisions(this.#options.authorizer);
    const groups = [...this.#groups.values()].filter(({ isAsked }) => !isAsked);
    await this.#askAll(
      groups.filter(({ isSlow }) => !isSlow),
      decisions,
    );
    if (this.#isAskingSlow) return;
    this.#isAskingSlow = true;
    const slow = groups.filter(({ isSlow }) => isSlow);
    void this.#askAll(slow, decisions).finally(() => (this.#isAskingSlow = false));
  }

  async #askAll(groups: readonly Group[], decisions: Decisions): Promise<void> {
    const { clock } = this.#options;
    const left = groups.values();
    const turn = new Turn(clock);
    const askOneByOne = async (): Promise<void> => {
      for (const group of left) {
        if (group.streams.size === 0) continue;
        await settledOrLate(this.#ask(group, decisions), clock);
        if (turn.over()) await turn.next();
      }
    };
    await Promise.all(Array.from({ length: MAX_ASKED }, askOneByOne));
  }

  async #ask(group: Group, decisions: Decisions): Promise<void> {
    group.isAsked = true;
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const refusal = await refusalFor(group, decisions);
    group.isSlow = clock.monotonic() - startedAt >= PATIENCE_MS;
    group.isAsked = false;
    if (refusal === undefined) return;
    const turn = new Turn(clock);
    for (const { end } of group.streams) {
      end(refusal);
      if (turn.over()) await turn.next();
    }
  }
}

/** `answer`: never rejects. */
function settledOrLate(answer: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(PATIENCE_MS, resolve);
    void answer.then(() => {
      cancel();
      resolve();
    });
  });
}

async function refusalFor(
  { attributes, identity, streams }: Group,
  decisions: Decisions,
): Promise<ApiError | undefined> {
  try {
    const user = await identity.ask();
    if (!isSame(user, attributes.user)) return unauthorized();
    let isRenewed = false;
    for (const { renew } of streams) {
      renew?.(user);
      isRenewed ||= renew !== undefined;
    }
    if (isRenewed) return undefined;
    const asked = { ...attributes, user };
    const decision = await decisions.of(asked);
    if (decision.decision === 'allow' || decision.error !== undefined) return undefined;
    return refusalOf(asked, decision);
  } catch (error) {
    return error instanceof ApiError && FINAL.has(error.code) ? error : undefined;
  }
}

/** A token that now belongs to another user does not count. Groups may change. */
function isSame(now: UserInfo, before: UserInfo): boolean {
  return now.name === before.name && now.uid === before.uid;
}
