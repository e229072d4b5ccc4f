import { isUtf8 } from 'node:buffer';
import { parseLargeJson } from '../../api/json-parse.ts';
import type { JsonValue } from '../../api/json.ts';
import { nextTurn } from '../../api/turn.ts';
import { hashOf } from '../../discovery/document.ts';
import type { RemoteService } from './api-services.ts';
import type { RemoteCaller } from './remote-caller.ts';

/** Fields of a document, and objects and lists. */
const MAX_FIELDS = 150_000;

/** Which document is asked for, and how long it may be and take. */
export interface DocumentCall {
  readonly path: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A document of JSON that another server has sent: what reads it does so in turns of the event loop. */
export class RemoteDocument {
  readonly bytes: Buffer;
  readonly hash: string;

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.hash = hashOf(bytes);
  }

  /** Undefined when the document is missing, or the server does not answer. */
  static async fetch(
    caller: RemoteCaller,
    remote: RemoteService,
    call: DocumentCall,
  ): Promise<RemoteDocument | undefined> {
    try {
      const { status, body } = await caller.call(remote, call);
      if (status !== 200) return undefined;
      await nextTurn();
      return new RemoteDocument(body);
    } catch {
      return undefined;
    }
  }

  /** Undefined when it is not JSON, or has too many fields. */
  async value(): Promise<JsonValue | undefined> {
    const { bytes } = this;
    await nextTurn();
    if (!isUtf8(bytes)) return undefined;
    const text = bytes.toString('utf8');
    await nextTurn();
    try {
      return (await parseLargeJson(text, { bytes, maxFields: MAX_FIELDS })).value;
    } catch {
      return undefined;
    }
  }
}
