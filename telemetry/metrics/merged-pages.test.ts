import assert from 'node:assert/strict';
import { mergedPages } from './merged-pages.ts';

const page = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('merged pages of metrics', () => {
  it('show every series under its worker, and a name under one head', () => {
    const head = ['# HELP requests_total Requests.', '# TYPE requests_total counter'];
    const first = page(
      ...head,
      'requests_total{path="/a}b",verb="get"} 3',
      '',
      '# HELP up Always 1.',
      '# TYPE up gauge',
      'up 1',
    );
    const second = page(
      '# HELP late Only there.',
      '# TYPE late gauge',
      'late{} 0.5',
      ...head,
      'requests_total{path="/c"} 4e-7',
      'requests_total{path="/d"} NaN',
    );
    const merged = [
      ...mergedPages([
        { worker: '0', text: first },
        { worker: '1', text: second },
      ]),
    ];
    assert.deepEqual(merged, [
      page(
        ...head,
        'requests_total{worker="0",path="/a}b",verb="get"} 3',
        'requests_total{worker="1",path="/c"} 4e-7',
        'requests_total{worker="1",path="/d"} NaN',
      ),
      page('# HELP up Always 1.', '# TYPE up gauge', 'up{worker="0"} 1'),
      page('# HELP late Only there.', '# TYPE late gauge', 'late{worker="1"} 0.5'),
    ]);
  });
});
