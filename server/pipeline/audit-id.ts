import type { Frame } from '../../http/exchange.ts';

const MAX_LENGTH = 256;

/** Every request has an Audit-ID, and so has its answer: the client's own when it is sound, otherwise a new one (behaviours 6.4). */
export function auditIdFrame(newUid: () => string): Frame {
  return {
    name: 'audit-id',
    enter(exchange) {
      const given = exchange.request.headers['audit-id'];
      exchange.auditId =
        typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) && given.length <= MAX_LENGTH
          ? given
          : newUid();
    },
  };
}
