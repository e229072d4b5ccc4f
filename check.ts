/**
 * `npm run check`: types and lint, and format, next to each other. What a check says
 * is printed when it has ended, so that it stays together.
 */
import { spawn, type ChildProcess } from 'node:child_process';

const CHECKS = ['check:lint', 'check:format'];

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });
}
const codes = await Promise.all(CHECKS.map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function run(name: string): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    child.once('error', fail);
    child.once('close', (code) => {
      running.delete(child);
      if (said !== '') process.stderr.write(`${name}:\n${said}`);
      done(code ?? 1);
    });
  });
}
