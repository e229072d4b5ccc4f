import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/fake-clock.ts';
import type { ToWorker } from './messages.ts';
import { PageExchange, type PageHolder } from './page-exchange.ts';

class Holder implements PageHolder {
  readonly name: string;
  readonly received: ToWorker[] = [];

  constructor(name: string) {
    this.name = name;
  }

  send(message: ToWorker): void {
    this.received.push(message);
  }

  /** The number under which it was asked to show its page. */
  get shows(): number {
    const last = this.received.at(-1);
    assert.ok(last?.kind === 'show');
    return last.id;
  }
}

describe('the exchange of pages among workers', () => {
  let clock: FakeClock;
  let exchange: PageExchange;
  let holders: [Holder, Holder, Holder];

  beforeEach(() => {
    clock = new FakeClock();
    exchange = new PageExchange(clock);
    holders = [new Holder('0'), new Holder('1'), new Holder('2')];
    for (const holder of holders) exchange.join(holder);
  });

  it('merges the pages as soon as the last worker has answered', () => {
    const [first, second, third] = holders;
    exchange.ask(second, 7, '/metrics');
    exchange.shown(third, third.shows, 'third');
    assert.deepEqual(second.received, []);
    exchange.shown(first, first.shows, 'first');
    const pages = [
      { worker: '2', text: 'third' },
      { worker: '0', text: 'first' },
    ];
    assert.deepEqual(second.received, [{ kind: 'pages', id: 7, pages }]);
  });

  it('leaves out a worker that does not answer in time or that ends', async () => {
    const [first, second, third] = holders;
    exchange.ask(first, 1, '/metrics');
    exchange.shown(second, second.shows, 'second');
    const late = third.shows;
    await clock.advance(2_000);
    const pages = [{ worker: '1', text: 'second' }];
    assert.deepEqual(first.received, [{ kind: 'pages', id: 1, pages }]);
    exchange.shown(third, late, 'too late');

    exchange.ask(first, 2, '/metrics');
    exchange.shown(second, second.shows, 'second');
    exchange.leave(third);
    assert.deepEqual(first.received.slice(1), [{ kind: 'pages', id: 2, pages }]);
  });

  it('answers a worker that asks before it has joined', () => {
    const [first, second, third] = holders;
    exchange.leave(third);
    exchange.ask(third, 5, '/metrics');
    exchange.shown(first, first.shows, 'first');
    exchange.shown(second, second.shows, 'second');
    const pages = [
      { worker: '0', text: 'first' },
      { worker: '1', text: 'second' },
    ];
    assert.deepEqual(third.received, [{ kind: 'pages', id: 5, pages }]);
  });

  it('answers at once without others, and ignores workers that have ended', async () => {
    const [first, second, third] = holders;
    exchange.leave(second);
    exchange.leave(third);
    exchange.ask(first, 3, '/metrics');
    assert.deepEqual(first.received, [{ kind: 'pages', id: 3, pages: [] }]);

    exchange.join(second);
    exchange.ask(first, 4, '/metrics');
    exchange.leave(first);
    await clock.advance(2_000);
    assert.equal(first.received.length, 1);
  });
});
