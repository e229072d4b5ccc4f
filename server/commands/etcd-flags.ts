import type { Command } from 'commander';
import { FlagError } from '../../config/command-line.ts';
import { parseFlags, type ServerConfig } from '../../config/flags.ts';

/** The flags of the server by which etcd is found. */
const ETCD_FLAGS = [
  ['--etcd-servers <urls>', 'etcdServers'],
  ['--etcd-prefix <prefix>', 'etcdPrefix'],
  ['--etcd-cafile <file>', 'etcdCafile'],
  ['--etcd-certfile <file>', 'etcdCertfile'],
  ['--etcd-keyfile <file>', 'etcdKeyfile'],
  ['--etcd-username <name>', 'etcdUsername'],
  ['--etcd-password-file <file>', 'etcdPasswordFile'],
] as const;

/** The command with the flags by which a server finds its etcd. */
export function withEtcdFlags(command: Command): Command {
  for (const [flag] of ETCD_FLAGS) command.option(flag, 'as for the server');
  return command;
}

/** @throws FlagError when they name no etcd */
export function etcdConfigOf(
  name: string,
  options: Record<string, unknown>,
  write: (text: string) => void,
): ServerConfig {
  const args = ETCD_FLAGS.flatMap(([flag, option]) =>
    typeof options[option] === 'string' ? [flag.split(' ')[0] ?? '', options[option]] : [],
  );
  const config = parseFlags(args, write);
  if (config.storage !== 'etcd') throw new FlagError(`plinth ${name} requires --etcd-servers`);
  return config;
}
