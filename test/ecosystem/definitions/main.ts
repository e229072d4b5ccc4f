/**
 * Applies the definitions of public projects, unchanged, and then their samples.
 * usage: npm run test:definitions -- FOLDER, where each folder in FOLDER is a checkout
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kubectl } from '../../support/kubectl.ts';
import { Plinth } from '../../support/plinth.ts';
import { readProjects, type Manifest } from './manifests.ts';

const NONE: Applied = { accepted: 0, refusals: [] };
const LEAST_PROJECTS = 20;
const LEAST_DEFINITIONS = 200;

interface Applied {
  readonly accepted: number;
  readonly refusals: readonly string[];
}

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: npm run test:definitions -- FOLDER');
const projects = readProjects(root);
const scratch = mkdtempSync(join(tmpdir(), 'plinth-definitions-'));
const plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
const kubectl = new Kubectl(plinth.kubeconfig);
try {
  process.exitCode = (await applyAll()) ? 0 : 1;
} finally {
  kubectl.dispose();
  await plinth.dispose();
  rmSync(scratch, { recursive: true });
}

async function applyAll(): Promise<boolean> {
  const definitions = new Map<string, Applied>();
  for (const { name, definitions: all } of projects) definitions.set(name, await apply(all));
  await kubectl.definitionsAre('Established', '--all', '--timeout=300s');
  console.log('| project | definitions Established | refused | samples accepted | refused |');
  console.log('|---|---|---|---|---|');
  const refusals: string[] = [];
  let accepted = 0;
  let bringing = 0;
  for (const { name, samples } of projects) {
    const own = definitions.get(name) ?? NONE;
    if (own.accepted + own.refusals.length === 0) continue;
    await makeNamespaces(samples);
    const others = await apply(samples);
    const counts = [own.accepted, own.refusals.length, others.accepted, others.refusals.length];
    console.log(`| ${[name, ...counts].join(' | ')} |`);
    refusals.push(...[...own.refusals, ...others.refusals].map((line) => `${name}: ${line}`));
    accepted += own.accepted;
    if (own.accepted > 0) bringing++;
  }
  console.log(`\n${accepted} definitions of ${bringing} projects are Established`);
  for (const line of refusals) console.log(line);
  return accepted >= LEAST_DEFINITIONS && bringing >= LEAST_PROJECTS;
}

/** One call of kubectl for all: it goes on behind what is refused. */
async function apply(manifests: readonly Manifest[]): Promise<Applied> {
  if (manifests.length === 0) return NONE;
  const folder = mkdtempSync(join(scratch, 'apply-'));
  for (const [index, { text, path }] of manifests.entries()) {
    const name = `${String(index).padStart(4, '0')}-${path.replaceAll('/', '+').slice(-150)}`;
    writeFileSync(join(folder, name), text);
  }
  const { out, err } = await kubectl.run([
    ...['apply', '--server-side', '--force-conflicts', '-f', folder],
  ]);
  const accepted = out.split('\n').filter((line) => line.endsWith(' serverside-applied')).length;
  const refusals = err
    .split(/\n(?=\S)/)
    .filter((text) => text !== '' && !text.startsWith('Warning:'));
  return { accepted, refusals: refusals.map((text) => text.replaceAll(`${folder}/`, '').trim()) };
}

async function makeNamespaces(samples: readonly Manifest[]): Promise<void> {
  const names = new Set(samples.map(({ object }) => object['metadata'].namespace as unknown));
  for (const name of names) {
    if (typeof name !== 'string') continue;
    const file = mkdtempSync(join(scratch, 'namespace-'));
    mkdirSync(file, { recursive: true });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    writeFileSync(join(file, 'namespace.json'), JSON.stringify(namespace));
    await kubectl.run(['apply', '--server-side', '-f', file]);
  }
}
