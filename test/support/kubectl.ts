import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './plinth.ts';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The real kubectl with a home of its own, so that nothing on the machine is read or changed. */
export class Kubectl {
  readonly #kubeconfig: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'plinth-kubectl-'));

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  dispose(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** A command that goes on until it is stopped; what it prints comes to `onText`. */
  follow(args: readonly string[], onText: (text: string) => void): () => Promise<void> {
    const child = this.#start(args, {});
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdout.on('data', (text: Buffer) => onText(text.toString()));
    child.stdin.end();
    return () => {
      child.kill();
      return closed;
    };
  }

  #start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
    return spawn('kubectl', ['--kubeconfig', this.#kubeconfig, ...args], {
      stdio: 'pipe',
      env: {
        PATH: process.env['PATH'],
        HOME: this.#home,
        TMPDIR: this.#home,
        KUBECTL_APPLYSET: 'true',
        ...env,
      },
    });
  }

  /** `input`: what a `-f -` reads, as JSON unless it is text. `editor`: a shell script that changes the file `$1`. */
  run(args: readonly string[], input?: unknown, editor?: string): Promise<Run> {
    const child = this.#start(args, editor === undefined ? {} : { EDITOR: this.#script(editor) });
    let out = '';
    let err = '';
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(
      input === undefined || typeof input === 'string' ? input : JSON.stringify(input),
    );
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out, err }));
    });
  }

  /** The output of a command that must succeed. */
  async ok(args: readonly string[], input?: unknown, editor?: string): Promise<string> {
    const { code, out, err } = await this.run(args, input, editor);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${err}${out}`);
    return out;
  }

  /**
   * Waits for a condition of definitions. `kubectl wait` fails, and does not wait, while the
   * conditions of a definition are null: the server has not looked at its names yet.
   */
  async definitionsAre(condition: string, ...definitions: readonly string[]): Promise<void> {
    const args = ['wait', `--for=condition=${condition}`, 'crd', ...definitions];
    await eventually(async () => {
      const { code, out, err } = await this.run(args);
      if (/conditions accessor error: <nil>/.test(err)) return false;
      assert.equal(code, 0, `kubectl ${args.join(' ')}: ${err}${out}`);
      return true;
    }, args.join(' '));
  }

  async json(args: readonly string[]): Promise<any> {
    return JSON.parse(await this.ok([...args, '-o', 'json']));
  }

  /** What a command that must fail says. */
  async refused(args: readonly string[], input?: unknown): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    assert.notEqual(code, 0, `kubectl ${args.join(' ')}: ${out}`);
    return err;
  }

  #script(text: string): string {
    const path = join(this.#home, 'editor.sh');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }
}
