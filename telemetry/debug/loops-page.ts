import { apiError } from '../../api/api-error.ts';
import { formatTime } from '../../api/time.ts';
import type { LoopState } from '../../controllers/loop-state.ts';
import type { LoopStatus } from '../../controllers/manager.ts';
import type { ApiRequest, ApiResponse } from '../../http/message.ts';

const PATH = '/debug/loops';

/** `/debug/loops`: what each background loop does on this server, for people. */
export class LoopsPage {
  readonly #status: () => LoopStatus;

  constructor(status: () => LoopStatus) {
    this.#status = status;
  }

  paths(): string[] {
    return [PATH];
  }

  handle({ rawPath, method }: ApiRequest): ApiResponse | undefined {
    if (rawPath !== PATH) return undefined;
    if (method !== 'GET' && method !== 'HEAD') {
      throw apiError(405, 'MethodNotAllowed', 'the status of loops can only be read', {});
    }
    const { loops, ...election } = this.#status();
    const text = JSON.stringify({ ...election, loops: loops.map(shown) }, undefined, 2);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(`${text}\n`),
    };
  }
}

function shown({ lastStepAt, busyMs, lastDurationMs, ...state }: LoopState): object {
  return {
    ...state,
    busyMs: Math.round(busyMs),
    lastStepAt: lastStepAt === undefined ? null : formatTime(lastStepAt),
    lastDurationMs: Math.round(lastDurationMs),
  };
}
