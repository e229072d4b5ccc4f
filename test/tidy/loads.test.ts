import assert from 'node:assert/strict';
import { loadedWith } from './tree.ts';

/** Packages of which each costs more time to load than everything that a command needs. */
const HEAVY = ['@peculiar/x509', 'express', 'jose', 'lmdb', 'prom-client'];
/** A command loads flags and texts: a server is a thousand files. */
const MOST_FILES = 80;

describe('what is loaded at once', () => {
  it('commands, --help, --version and the supervisor of workers load nothing of the server', () => {
    const loaded = loadedWith('server/main.ts');
    assert.ok(loaded.has('server/commands/health.ts') && loaded.has('commander'), 'it follows');
    assert.ok(!loaded.has('server/server.ts'));
    for (const name of HEAVY) assert.ok(!loaded.has(name), name);
    const files = [...loaded].filter((name) => name.endsWith('.ts'));
    assert.ok(files.length <= MOST_FILES, `${files.length} files: ${files.join(' ')}`);
    assert.ok(loadedWith('server/server.ts').has('express'));
  });

  it('the health check of the image loads what asks, and nothing else', () => {
    assert.deepEqual(
      [...loadedWith('server/probe.ts')],
      ['server/probe.ts', 'server/commands/ask-ready.ts', 'node:https'],
    );
  });
});
