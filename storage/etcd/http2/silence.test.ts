import assert from 'node:assert/strict';
import { Silence } from './silence.ts';

describe('the silence of a peer', () => {
  it('begins with the first call that has got no answer, and lasts until anything is answered', () => {
    const silence = new Silence();
    assert.equal(silence.lastsMs(50), 0);
    silence.missed(100);
    silence.missed(300);
    assert.equal(silence.lastsMs(400), 300);
    silence.broken(450);
    assert.equal(silence.lastsMs(500), 0);
    silence.missed(500);
    assert.equal(silence.lastsMs(600), 100);
  });

  it('is none when a call has got no answer while others were answered', () => {
    const silence = new Silence();
    silence.broken(200);
    silence.missed(100);
    assert.equal(silence.lastsMs(10_000), 0);
  });
});
