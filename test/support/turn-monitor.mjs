// Loaded into a server under test by `Turns`: says how much CPU the longest turn of the event
// loop took. It counts the CPU of the loop's own thread, which neither other processes nor the
// garbage collector's helpers change. Where the system does not tell, that of the process.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import process from 'node:process';
import { setInterval } from 'node:timers';
import { URL } from 'node:url';

const PERIOD_MS = 2;
const THREAD = `/proc/self/task/${process.pid}/schedstat`;

function threadCpuMs() {
  return Number(readFileSync(THREAD, 'latin1').split(' ', 1)[0]) / 1e6;
}

function processCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

function cpuClock() {
  try {
    return Number.isFinite(threadCpuMs()) ? threadCpuMs : processCpuMs;
  } catch {
    return processCpuMs;
  }
}

const cpuMs = cpuClock();
let last = cpuMs();
let longest = 0;

function look() {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
}

setInterval(look, PERIOD_MS).unref();

// Each connection receives the longest turn since the connection before it.
createServer((socket) => {
  look();
  socket.end(`${longest}`);
  longest = 0;
})
  .listen(new URL(import.meta.url).searchParams.get('socket'))
  .unref();
