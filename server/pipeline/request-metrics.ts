import type { Clock } from '../../api/clock.ts';
import { isPushed, type ApiResponse } from '../http/message.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RequestKey } from '../metrics/request-labels.ts';
import type { Exchange, Stage } from './exchange.ts';

const READ_VERBS = ['get', 'list', 'watch', 'head'];
const APPLY = 'application/apply-patch+yaml';

/** Counts every request: how many at a time, how long, with which outcome. */
export function requestMetricsStage(metrics: Metrics, clock: Clock): Stage {
  return {
    name: 'request-metrics',
    async handle(exchange, next) {
      const { verb } = exchange.info;
      const done = metrics.load.executing(READ_VERBS.includes(verb) ? 'readOnly' : 'mutating');
      const key = requestKey(exchange);
      try {
        const response = await next();
        if (isPushed(response.body)) return longRunning(metrics, key, response);
        const seconds = (clock.monotonic() - exchange.startedAt) / 1000;
        metrics.requests.observe({
          ...key,
          code: response.status,
          seconds,
          responseBytes: Buffer.isBuffer(response.body) ? response.body.length : 0,
          dryRun: dryRunOf(exchange),
        });
        return response;
      } finally {
        done();
      }
    },
  };
}

/** A stream is no request in flight: it counts as long as it is open. */
function longRunning(metrics: Metrics, key: RequestKey, response: ApiResponse): ApiResponse {
  const { body } = response;
  if (!isPushed(body)) return response;
  return {
    ...response,
    body: {
      start(sink) {
        const ended = metrics.load.longRunning(key);
        const control = body.start({
          write: (frame) => sink.write(frame),
          end: () => {
            ended();
            sink.end();
          },
        });
        return {
          resume: () => control.resume(),
          close: () => {
            ended();
            control.close();
          },
        };
      },
    },
  };
}

function requestKey({ info, request }: Exchange): RequestKey {
  if (!info.isResource) {
    return {
      verb: info.verb,
      group: '',
      version: '',
      resource: '',
      subresource: info.path,
      scope: '',
    };
  }
  const isApply = info.verb === 'patch' && request.headers['content-type']?.startsWith(APPLY);
  return {
    verb: isApply === true ? 'apply' : info.verb,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    scope: info.name !== '' ? 'resource' : info.namespace !== '' ? 'namespace' : 'cluster',
  };
}

function dryRunOf({ request }: Exchange): '' | 'All' | 'invalid' {
  const values = request.query.getAll('dryRun');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}
