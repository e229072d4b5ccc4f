import type { JsonObject } from '../api/json.ts';
import type { Status } from '../api/status.ts';
import { atOnce, inTurns } from '../api/steps.ts';
import { errorFrame, eventFrame } from '../watch/frames.ts';
import { documentSteps, objectSteps } from './protobuf/document.ts';
import { protobufFrame } from './protobuf/event-frame.ts';

/** How an event is written around the finished JSON of its object. */
export interface EventFraming {
  readonly name: string;
  event(type: string, json: Buffer): Buffer | Promise<Buffer>;
  /** Of an object that is always small. */
  bookmark(json: Buffer): Buffer;
  error(status: Status): Buffer;
}

/** One event to a line. */
export const LINES: EventFraming = {
  name: 'json',
  event: eventFrame,
  bookmark: (json) => eventFrame('BOOKMARK', json),
  error: errorFrame,
};

/** A guess: a Status is small. */
const STATUS_BYTES = 512;

/** Each event behind its length. */
export const MESSAGES: EventFraming = {
  name: 'protobuf',
  event(type, json) {
    const document = inTurns(documentSteps(json));
    return document instanceof Promise
      ? document.then((made) => protobufFrame(type, made))
      : protobufFrame(type, document);
  },
  bookmark: (json) => protobufFrame('BOOKMARK', atOnce(documentSteps(json))),
  error(status) {
    const object = status as unknown as JsonObject;
    return protobufFrame('ERROR', atOnce(objectSteps(object, STATUS_BYTES)));
  },
};
