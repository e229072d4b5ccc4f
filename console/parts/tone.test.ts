import assert from 'node:assert/strict';
import { toneOf, toneOfCondition } from './tone.ts';

describe('the colour of a condition', () => {
  it('is that of its status, except for alarms', () => {
    const cases: [type: string, status: string, tone: string][] = [
      ['Ready', 'True', 'good'],
      ['Ready', 'False', 'bad'],
      ['Ready', 'Unknown', ''],
      ['Degraded', 'False', ''],
      ['Degraded', 'True', 'bad'],
      ['MemoryPressure', 'False', ''],
      ['MemoryPressure', 'True', 'bad'],
    ];
    for (const [type, status, tone] of cases) {
      assert.equal(toneOfCondition(type, status), tone, `${type}=${status}`);
    }
  });
});

describe('the colour of a word', () => {
  it('is that of its status also where the reason follows', () => {
    assert.equal(toneOf('False (ServiceNotFound)'), 'bad');
    assert.equal(toneOf('False'), 'bad');
    assert.equal(toneOf('falsehood'), '');
  });
});
