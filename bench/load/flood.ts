import { setPriority } from 'node:os';
import { LoadClient } from './client.ts';

/**
 * A user who does not care: so many connections, on each the next request as
 * soon as the last one is answered, whatever the answer was. A process of its
 * own, so that it does not slow down the process that measures. Arguments: url, token,
 * connections, method, path, and a body to create from.
 */
const [url = '', token = '', connections = '', method = 'GET', path = '/', body] =
  process.argv.slice(2);

// On a small machine the flood must not take the time of the server and of the one who measures.
setPriority(10);
const client = new LoadClient({ url, token }, Number(connections));
const codes = new Map<number, number>();
let made = 0;

async function again(): Promise<never> {
  for (;;) {
    const name = `flood-${process.pid}-${made++}`;
    const object =
      body === undefined
        ? undefined
        : { ...(JSON.parse(body) as object), metadata: { name, namespace: 'default' } };
    const code = await client.send(method, path, object).then(
      ({ status }) => status,
      () => 0,
    );
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
}

for (let i = 0; i < Number(connections); i++) void again();
process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify(Object.fromEntries(codes)), () => process.exit(0));
});
process.stdout.write('\n');
