import type { Selection } from '../client.ts';
import type { ApiObject } from '../objects.ts';
import { resourceNameOf, type ResourceRef } from '../resource.ts';
import type { StatusError } from '../status.ts';
import { Cursor } from './cursor.ts';
import type { SubscriptionMessage } from './frames.ts';

/** What to follow. */
export interface SubscriptionRequest extends Selection {
  readonly ref: ResourceRef;
  /**
   * Changes after this resourceVersion, for example that of a list. Absent: the
   * present state first.
   */
  readonly from?: string | undefined;
  /** Changes from now on, without the state. RESET then means that some may have been missed. */
  readonly isFromNow?: boolean | undefined;
  /** Each object as a table with one row. */
  readonly as?: 'Table' | undefined;
}

/** What a subscriber is told. */
export type LiveEvent =
  /** Forget all objects: the state follows, as ADDED events up to SYNCED. */
  | { readonly type: 'RESET' }
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  /** The state has come, or what came after `from`; changes follow. */
  | { readonly type: 'SYNCED'; readonly resourceVersion: string }
  /** With `from`: what came after it is not kept any more; the subscription is over: list again. */
  | { readonly type: 'EXPIRED' }
  /** The subscription is over: the server refuses it. */
  | { readonly type: 'ERROR'; readonly error: StatusError };

export type OnLiveEvent = (event: LiveEvent) => void;

/** One subscription of a stream, and how far it has come. */
export class Subscription {
  readonly id: string;
  readonly request: SubscriptionRequest;
  readonly #onEvent: OnLiveEvent;
  readonly #cursor: Cursor;
  /** The connection of now has said that the state, or the past, is complete. */
  #isCaughtUp = false;

  constructor(id: string, request: SubscriptionRequest, onEvent: OnLiveEvent) {
    this.id = id;
    this.request = request;
    this.#onEvent = onEvent;
    this.#cursor = new Cursor(request.from);
  }

  /** A connection begins: what the server is to be asked. */
  begin(): SubscriptionMessage {
    this.#isCaughtUp = false;
    const { ref, labelSelector, fieldSelector, filter, as, isFromNow } = this.request;
    const { namespace = '' } = ref;
    const { resourceVersion } = this.#cursor;
    if (resourceVersion === undefined) this.#onEvent({ type: 'RESET' });
    return {
      id: this.id,
      resource: resourceNameOf(ref),
      ...(namespace === '' ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(filter === undefined ? {} : { filter }),
      ...(as === undefined ? {} : { as }),
      ...(resourceVersion === undefined
        ? isFromNow === true
          ? { sendInitialEvents: false }
          : {}
        : { resourceVersion }),
    };
  }

  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): void {
    // the state comes in the order of names: it is sent again unless it is complete
    const isState = this.#cursor.resourceVersion === undefined && this.request.isFromNow !== true;
    if (isState || this.#cursor.take(object)) this.#onEvent({ type, object });
  }

  /** The connection has sent the state, or what came after the revision. */
  caughtUp(resourceVersion: string): void {
    this.#isCaughtUp = true;
    this.#cursor.moveTo(resourceVersion);
    this.#onEvent({ type: 'SYNCED', resourceVersion });
  }

  /** The connection has sent everything up to this revision to all subscriptions. */
  allSent(resourceVersion: string): void {
    if (this.#isCaughtUp) this.#cursor.moveTo(resourceVersion);
  }

  /** A list says the same as its state. */
  get isListed(): boolean {
    return this.request.as === undefined && this.request.isFromNow !== true;
  }

  /** The history it needs is gone. True: it is over; false: it needs the state. */
  expired(): boolean {
    if (this.request.from !== undefined) {
      this.#onEvent({ type: 'EXPIRED' });
      return true;
    }
    this.#cursor.moveTo(undefined);
    return false;
  }

  /** Starts again with the objects of a list. */
  restart(objects: readonly ApiObject[], resourceVersion: string): void {
    this.#onEvent({ type: 'RESET' });
    for (const object of objects) this.#onEvent({ type: 'ADDED', object });
    this.#cursor.moveTo(resourceVersion);
    this.#onEvent({ type: 'SYNCED', resourceVersion });
  }

  fail(error: StatusError): void {
    this.#onEvent({ type: 'ERROR', error });
  }
}
