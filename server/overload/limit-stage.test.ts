import assert from 'node:assert/strict';
import { badRequest } from '../../api/api-error.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { Catalog } from '../../registry/catalog.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import { EMPTY_BODY, type ApiResponse } from '../../http/message.ts';
import type { Answer } from '../../http/exchange.ts';
import { Metrics } from '../../telemetry/metrics/metrics.ts';
import { testExchange } from '../../wire/testing.ts';
import { limitStage } from './limit-stage.ts';
import { Limits } from './limits.ts';

const ANSWER: ApiResponse = { status: 200, headers: {}, body: EMPTY_BODY };

describe('the seat of a request', () => {
  it('is free again however the request ends, at once or later', async () => {
    const clock = new FakeClock();
    const limits = new Limits({
      ...{ maxReading: 1, maxMutating: 1, maxLongRunning: 1, isFair: false },
      ...{ maxWaitMs: 1_000, clock },
    });
    const metrics = new Metrics({ served: new Catalog([namespaceDefinition]), clock });
    const stage = limitStage({ limits, widthOf: () => 1, metrics });
    const handle = async (next: () => Answer): Promise<ApiResponse> => {
      const exchange = testExchange({ target: '/api/v1/namespaces/a' });
      exchange.user = { name: 'ann', uid: '', groups: [], extra: {} };
      return stage.handle(exchange, next);
    };
    const refusal = badRequest('no');
    const refuse = (): never => {
      throw refusal;
    };
    for (let round = 0; round < 2; round++) {
      assert.equal(await handle(() => ANSWER), ANSWER);
      await assert.rejects(handle(refuse), refusal);
      await assert.rejects(
        handle(() => Promise.reject(refusal)),
        refusal,
      );
      assert.equal(await handle(() => Promise.resolve(ANSWER)), ANSWER);
    }
  });
});
