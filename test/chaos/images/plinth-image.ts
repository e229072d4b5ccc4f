import { resolve } from 'node:path';
import { baseImage } from './base-image.ts';
import { run } from './shell.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NAME = 'plinth-test/plinth';

let built: Promise<string> | undefined;

/** The image that the Dockerfile describes, on the base that is made of this machine's programs. */
export function plinthImage(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const base = await baseImage();
  // npm has to reach its registry, also where containers have no way out.
  const options = ['--network', 'host', '--build-arg', `NODE_IMAGE=${base}`];
  await run('docker', ['build', '-q', ...options, '-t', NAME, ROOT], {
    env: { DOCKER_BUILDKIT: '0' },
  });
  return NAME;
}
