import type { Flag } from './flag.ts';
import { trueOrFalse } from './parsers.ts';

/** The console: pages for browsers. */
export interface ConsoleConfig {
  /** Undefined: where only this machine reaches the server. */
  readonly console: boolean | undefined;
}

export const CONSOLE_FLAGS: readonly Flag<ConsoleConfig>[] = [
  {
    name: 'console',
    flags: '--console [true|false]',
    description:
      'whether to serve the console, pages for browsers, at /console. Default: true when --bind-address is a loopback address, otherwise false',
    parse: trueOrFalse,
  },
];

/** 127.0.0.0/8 in dotted form, and ::1. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** Does only this machine reach a server that listens on this address? */
function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

export function servesConsole(config: ConsoleConfig & { readonly bindAddress: string }): boolean {
  return config.console ?? isLoopback(config.bindAddress);
}
