import type { FrameSink } from '../../watch/frame-sink.ts';
import { LARGE_FRAME_BYTES } from '../../http/budgeted-sink.ts';
import {
  failStream,
  type ApiRequest,
  type ApiResponse,
  type PushControl,
  type PushedBody,
} from '../../http/message.ts';
import { CLOSE_CODE, closeFrame, frame, frameHead, FrameReader, OPCODE } from './frames.ts';
import { handshakeHeaders } from './handshake.ts';

interface DuplexBody extends PushedBody {
  start(sink: FrameSink): PushControl & Required<Pick<PushControl, 'receive'>>;
}

/**
 * The answer 101 and the stream behind it: each line of `body` becomes one text
 * message.
 *
 * @throws ApiError 400 when the request is not a valid handshake
 */
export function webSocketAnswer(request: ApiRequest, body: PushedBody): ApiResponse {
  return { status: 101, headers: handshakeHeaders(request), body: overWebSocket(body) };
}

const LINE_FEED = 0x0a;
const NO_EVENT: readonly number[] = [];

/** The body as text messages of a WebSocket, one for each line, and a close frame at its end. */
export function overWebSocket(body: PushedBody): DuplexBody {
  return {
    start(sink) {
      let isOpen = true;
      const end = (code: number): void => {
        if (!isOpen) return;
        isOpen = false;
        sink.write(closeFrame(code), NO_EVENT);
        sink.end();
      };
      const control = body.start({
        write: (lines, lengths) => !isOpen || writeMessages(sink, lines, lengths),
        end: () => end(CLOSE_CODE.NORMAL),
      });
      let pending: Promise<void> | undefined;
      const reader = new FrameReader({
        ...(control.message === undefined
          ? {}
          : { message: (payload) => void (pending = control.message?.(payload)) }),
        ping(payload) {
          if (isOpen) sink.write(frame(OPCODE.PONG, payload), NO_EVENT);
        },
        closed(code) {
          end(code);
          control.close();
        },
      });
      return {
        resume: () => control.resume(),
        close: () => control.close(),
        fail: (error) => failStream(control, error),
        receive(bytes) {
          pending = undefined;
          reader.receive(bytes);
          return pending;
        },
      };
    },
    discard: () => body.discard?.(),
  };
}

/** A large line goes as it is behind the head of its message, since streams share it. */
function writeMessages(sink: FrameSink, lines: Buffer, lengths?: readonly number[]): boolean {
  const isOneLine = lines.indexOf(LINE_FEED) === lines.length - 1;
  if (lines.length < LARGE_FRAME_BYTES || !isOneLine) return sink.write(messages(lines), lengths);
  sink.write(frameHead(OPCODE.TEXT, lines.length), NO_EVENT);
  return sink.write(lines);
}

/** One message for each line; the initial state of a stream comes as many lines at once. */
function messages(lines: Buffer): Buffer {
  const frames: Buffer[] = [];
  let start = 0;
  while (start < lines.length) {
    const feed = lines.indexOf(LINE_FEED, start);
    const end = feed < 0 ? lines.length : feed + 1;
    frames.push(frame(OPCODE.TEXT, lines.subarray(start, end)));
    start = end;
  }
  return frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames);
}
