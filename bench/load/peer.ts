import type { Target } from './target.ts';

const KUBERNETES_GROUP = 'coordination.k8s.io';
const FIELDS = ['name', 'url', 'token', 'pids', 'group'];

/**
 * A server that runs already, from `name=…,url=…,token=…,pids=…+…,group=…`. The
 * first process is the server, whose memory is shown.
 *
 * @throws Error that names the field
 */
export function peerOf(text: string): Target {
  const fields = new Map<string, string>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const field = part.slice(0, Math.max(at, 0));
    if (!FIELDS.includes(field)) throw new Error(`--peer: ${part} is none of ${FIELDS.join(', ')}`);
    fields.set(field, part.slice(at + 1));
  }
  const url = fields.get('url');
  if (url === undefined || !URL.canParse(url)) throw new Error('--peer: url must be a URL');
  const pids = (fields.get('pids') ?? '')
    .split('+')
    .filter((one) => one !== '')
    .map(Number);
  if (pids.some((pid) => !Number.isInteger(pid))) throw new Error('--peer: pids must be numbers');
  return {
    name: fields.get('name') ?? new URL(url).host,
    endpoint: { url, token: fields.get('token') },
    group: fields.get('group') ?? KUBERNETES_GROUP,
    pid: pids[0],
    pids,
    stop: () => Promise.resolve(),
  };
}
