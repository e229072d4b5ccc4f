import type Dockerode from 'dockerode';
import {
  getContainerRuntimeClient,
  type StartedNetwork,
  type StartedTestContainer,
} from 'testcontainers';

/** One container of a cluster, and what can happen to it. */
export class Part {
  readonly name: string;
  readonly #container: Dockerode.Container;
  readonly #client: Dockerode;

  private constructor(name: string, container: Dockerode.Container, client: Dockerode) {
    this.name = name;
    this.#container = container;
    this.#client = client;
  }

  static async of(name: string, started: StartedTestContainer): Promise<Part> {
    const { container } = await getContainerRuntimeClient();
    return new Part(name, container.getById(started.getId()), container.dockerode);
  }

  async kill(): Promise<void> {
    await this.#container.kill({ signal: 'SIGKILL' });
  }
  /** As an operator stops it: with a signal and time to finish. */
  async stop(): Promise<void> {
    await this.#container.stop({ t: 30 });
  }
  async start(): Promise<void> {
    await this.#container.start();
  }
  /** Freezes every process of it; connections stay open. */
  async pause(): Promise<void> {
    await this.#container.pause();
  }
  async unpause(): Promise<void> {
    await this.#container.unpause();
  }

  /** Starts a further command in it, and does not wait. */
  async begin(command: readonly string[]): Promise<void> {
    const exec = await this.#container.exec({ Cmd: [...command] });
    // The answer is empty, but an unread answer keeps the process from ending.
    (await exec.start({ Detach: true })).resume();
  }
  /** @returns what the command prints */
  async execute(command: readonly string[]): Promise<string> {
    const exec = await this.#container.exec({
      Cmd: [...command],
      AttachStdout: true,
      AttachStderr: true,
    });
    const stream = await exec.start({});
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const text = plain(Buffer.concat(chunks));
    const { ExitCode } = await exec.inspect();
    if (ExitCode !== 0) throw new Error(`${command.join(' ')} in ${this.name}: ${text}`);
    return text;
  }

  /** Takes its cable out of a network: nothing is refused, nothing arrives. */
  async cut(network: StartedNetwork): Promise<void> {
    await this.#client.getNetwork(network.getId()).disconnect({ Container: this.#container.id });
  }
  async join(network: StartedNetwork): Promise<void> {
    await this.#client.getNetwork(network.getId()).connect({
      Container: this.#container.id,
      EndpointConfig: { Aliases: [this.name] },
    });
  }

  /** Its address in a network; undefined while it is cut or down. */
  async address(network: StartedNetwork): Promise<string | undefined> {
    const { NetworkSettings } = await this.#container.inspect();
    const address = NetworkSettings.Networks[network.getName()]?.IPAddress;
    return address === '' ? undefined : address;
  }

  async running(): Promise<boolean> {
    return (await this.#container.inspect()).State.Running;
  }

  async log(lines = 40): Promise<string> {
    return plain(await this.#container.logs({ stdout: true, stderr: true, tail: lines }));
  }
}

/** Each chunk of output comes behind eight bytes that tell its stream and length. */
function plain(output: Buffer): string {
  // oxlint-disable-next-line no-control-regex
  return output.toString('utf8').replace(/[\u0000-\u0002]\u0000{3}[^]{4}/g, '');
}
