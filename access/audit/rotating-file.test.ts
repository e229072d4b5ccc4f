import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { RotatingFile } from './rotating-file.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('RotatingFile', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'plinth-rotate-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  const backups = (): string[] => readdirSync(dir).filter((name) => name.startsWith('audit-'));

  it('rotates the file before it exceeds its limit, without splitting or losing a line', async () => {
    const clock = new FakeClock(Date.UTC(2024, 4, 1, 10));
    const file = new RotatingFile(
      join(dir, 'audit.log'),
      { maxBytes: 100, maxAgeDays: 0, maxBackups: 0 },
      clock,
    );
    for (let i = 0; i < 30; i++) {
      await file.append(`line ${String(i).padStart(4, '0')}\n`);
      await clock.advance(1);
    }
    assert.ok(backups().includes('audit-2024-05-01T10-00-00.010.log'), backups().join());
    const texts = [...backups().sort(), 'audit.log'].map((name) => {
      assert.ok(statSync(join(dir, name)).size <= 100);
      return readFileSync(join(dir, name), 'utf8');
    });
    const lines = texts.join('').trim().split('\n');
    assert.deepEqual(
      lines,
      Array.from({ length: 30 }, (_, i) => `line ${String(i).padStart(4, '0')}`),
    );
  });

  it('appends to an existing file', async () => {
    writeFileSync(join(dir, 'audit.log'), 'x'.repeat(95));
    const file = new RotatingFile(
      join(dir, 'audit.log'),
      { maxBytes: 100, maxAgeDays: 0, maxBackups: 0 },
      new FakeClock(),
    );
    await file.append('0123456789');
    assert.equal(readFileSync(join(dir, 'audit.log'), 'utf8'), '0123456789');
    assert.equal(backups().length, 1);
  });

  it('begins a line of its own behind one that was cut off', async () => {
    const path = join(dir, 'audit.log');
    const options = { maxBytes: 100, maxAgeDays: 0, maxBackups: 0 };
    const file = new RotatingFile(path, options, new FakeClock());
    await file.append('whole\n');
    // nothing can be added, and then a part has been added
    rmSync(path);
    mkdirSync(path);
    await assert.rejects(file.append('lost\n'));
    rmdirSync(path);
    writeFileSync(path, 'whole\nlo');
    await file.append('next\n');
    await file.append('last\n');
    assert.equal(readFileSync(path, 'utf8'), 'whole\nlo\nnext\nlast\n');
    await new RotatingFile(path, options, new FakeClock()).append('again\n');
    assert.equal(readFileSync(path, 'utf8'), 'whole\nlo\nnext\nlast\nagain\n');
  });

  it('keeps the configured number of backups, drops old ones, and leaves other files alone', async () => {
    writeFileSync(join(dir, 'audit-notes.log'), 'mine');
    const clock = new FakeClock();
    const options = { maxBytes: 10, maxAgeDays: 2, maxBackups: 3 };
    const file = new RotatingFile(join(dir, 'audit.log'), options, clock);
    for (let i = 0; i < 8; i++) await file.append('0123456789');
    assert.equal(backups().length, 1 + 3);
    await clock.advance(3 * DAY_MS);
    await file.append('0123456789');
    assert.equal(backups().length, 1 + 1);
    assert.ok(backups().includes('audit-notes.log'));
  });
});
