import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A load balancer for one server: a connection that comes while the server is
 * away waits for it, up to ten seconds. Returns its port and what closes it.
 */
export async function patientProxy(
  target: number,
): Promise<{ port: number; close: () => Promise<void> }> {
  const clients = new Set<Socket>();
  const listener = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    join(client, target, 100);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      for (const client of clients) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function join(client: Socket, target: number, attempts: number): void {
  const server = connect(target, '127.0.0.1');
  server.once('connect', () => {
    client.pipe(server);
    server.pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  server.on('error', () => {
    if (server.pending && attempts > 0 && !client.destroyed) {
      setTimeout(() => join(client, target, attempts - 1), 100);
    } else client.destroy();
  });
}
