import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** Answers every gRPC call with the status of an etcd of some version; for versions that cannot be had. */
export class EtcdImpostor {
  readonly url: string;
  readonly #server: Http2Server;
  readonly #streams = new Set<ServerHttp2Stream>();

  private constructor(server: Http2Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(version: string): Promise<EtcdImpostor> {
    const server = createServer();
    const text = Buffer.from(version);
    // StatusResponse: an empty header (field 1) and the version (field 2).
    const message = Buffer.concat([Buffer.from([0x0a, 0, 0x12, text.length]), text]);
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(message.length, 1);
    server.on('stream', (stream) => {
      impostor.#streams.add(stream);
      stream.on('error', () => undefined);
      stream.on('close', () => impostor.#streams.delete(stream));
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc' },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.concat([frame, message]));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const impostor = new EtcdImpostor(server);
    return impostor;
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
