import { badRequest, timeout } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { Expiries, Expiring } from '../../api/expiries.ts';
import type { Exchange, Stage } from '../../http/exchange.ts';

const DURATION = /^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Requests end after `limitMs`, or sooner when the client says so with `timeout=`; watches are exempt. */
export function deadlineStage(
  clock: Clock,
  limitMs: number,
  onPassed: (exchange: Exchange) => void,
): Stage {
  const unlessSooner = new Expiries(clock, limitMs);
  return {
    name: 'deadline',
    handle(exchange, next) {
      if (exchange.info.verb === 'watch') return next(exchange);
      const ms = Math.min(limitMs, clientLimit(exchange));
      exchange.deadline = clock.monotonic() + ms;
      // An immediate refusal throws here, before a timer exists.
      const answer = next(exchange);
      if (!(answer instanceof Promise)) return answer;
      return new Promise((resolve, reject) => {
        const pass = (): void => {
          onPassed(exchange);
          reject(timeout('request did not complete within the allotted timeout'));
          exchange.request.cancellation.abort(new Error('the deadline has passed'));
        };
        const cancel = ms === limitMs ? expiring(unlessSooner, pass) : clock.after(ms, pass);
        answer.then(
          // the answer itself, not its promise: that would be three promises more
          (response) => {
            cancel();
            resolve(response);
          },
          () => {
            cancel();
            resolve(answer);
          },
        );
      });
    },
  };
}

/** Nearly all requests have the same time: no timer for each. Returns what cancels. */
function expiring(expiries: Expiries, pass: () => void): () => void {
  const item = new Expiring(pass);
  expiries.add(item);
  return () => expiries.delete(item);
}

function clientLimit({ request }: Exchange): number {
  const text = request.query.get('timeout') ?? '';
  if (text === '') return Infinity;
  const ms = parseDuration(text);
  if (ms === undefined) {
    const why = /^[-+]?[\d.]+$/.test(text) ? 'missing unit in duration' : 'invalid duration';
    throw badRequest(
      `invalid timeout specified in the request URL: ${why} ${JSON.stringify(text)}; durations look like 30s or 1m30s`,
    );
  }
  // a value that is not positive sets no limit
  return ms > 0 ? ms : Infinity;
}

/** Go's durations: `1.5s`, `1m30s`, `-5s`; plain `0` too. */
function parseDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0;
  if (!DURATION.test(text)) return undefined;
  let ms = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/([\d.]+)([^\d.]+)/g)) {
    ms += Number(number) * (UNIT_MS[unit] ?? 0);
  }
  return text.startsWith('-') ? -ms : ms;
}
