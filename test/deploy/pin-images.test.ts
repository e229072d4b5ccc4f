import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { COMPOSE_FILES, ROOT } from './compose-files.ts';

const run = promisify(execFile);
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** Knows an image after a pull, except one of the name `local`, which no registry has. */
const DOCKER = `#!/bin/sh
echo "$*" >> "$CALLS"
for image; do :; done
case "$1 $2" in
  'pull -q') touch "$PULLED/$(echo "$image" | tr '/:' '__')" ;;
  'image inspect')
    [ -e "$PULLED/$(echo "$image" | tr '/:' '__')" ] || exit 1
    if [ "$3" = --format ]; then
      echo 'mirror.example.org/other@${DIGEST}'
      case $image in local*) ;; *) echo "\${image%:*}@${DIGEST}" ;; esac
    fi ;;
esac
`;

describe('deploy/pin-images', () => {
  let scratch: string;
  const env = (): NodeJS.ProcessEnv => ({
    PATH: `${join(scratch, 'bin')}:${process.env['PATH']}`,
    CALLS: join(scratch, 'calls'),
    PULLED: join(scratch, 'pulled'),
  });
  const pin = async (more: NodeJS.ProcessEnv = {}): Promise<string> => {
    const script = join(scratch, 'deploy/pin-images');
    return (await run(script, [], { env: { ...env(), ...more } })).stdout;
  };
  const written = (): string => join(scratch, 'deploy/images.env');

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    for (const name of ['bin', 'pulled']) mkdirSync(join(scratch, name));
    for (const file of [...COMPOSE_FILES, 'deploy/pin-images']) {
      mkdirSync(dirname(join(scratch, file)), { recursive: true });
      cpSync(join(ROOT, file), join(scratch, file));
    }
    writeFileSync(join(scratch, 'bin/docker'), DOCKER, { mode: 0o755 });
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  it('writes every image of both stacks by its digest, in the form that compose reads', async () => {
    await pin();
    const lines = readFileSync(written(), 'utf8').trim().split('\n').slice(1);
    const names = lines.map((line) => line.split('=')[0]);
    const text = COMPOSE_FILES.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('');
    const wanted = [...text.matchAll(/\$\{([A-Z]+_IMAGE)/g)].map(([, name]) => name);
    assert.deepEqual(names, [...new Set(wanted)].filter((name) => name !== 'PLINTH_IMAGE').sort());
    for (const line of lines) assert.match(line, new RegExp(`^[A-Z_]+=[\\w./-]+@${DIGEST}$`));
    assert.ok(lines.includes(`ETCD_IMAGE=gcr.io/etcd-development/etcd@${DIGEST}`));
  });

  it('pulls what is missing, once, and takes an image of another name', async () => {
    await pin();
    const pulls = (): number =>
      readFileSync(join(scratch, 'calls'), 'utf8').match(/^pull/gm)?.length ?? 0;
    const first = pulls();
    assert.ok(first >= 5, `${first} pulls`);
    const other = await pin({ ETCD_IMAGE: 'registry.example.org:5000/etcd:v3.5.99' });
    assert.equal(pulls(), first + 1);
    assert.match(other, new RegExp(`^ETCD_IMAGE=registry.example.org:5000/etcd@${DIGEST}$`, 'm'));
  });

  it('keeps the file of before when an image has no digest', async () => {
    await pin();
    const before = readFileSync(written(), 'utf8');
    await assert.rejects(pin({ ETCD_IMAGE: 'local:1' }), /local:1 \(ETCD_IMAGE\) has no digest/);
    assert.equal(readFileSync(written(), 'utf8'), before);
    assert.ok(!existsSync(`${written()}.new`));
  });
});
