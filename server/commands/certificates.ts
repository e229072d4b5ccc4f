import { systemClock } from '../../api/clock.ts';
import { commaList } from '../../config/parsers.ts';
import { textOf, type OperatorCommand } from './command.ts';

export const certificatesCommand: OperatorCommand = {
  name: 'certificates',
  description:
    'Makes what an installation of several processes needs: authorities, certificates of etcd and of the servers, client certificates of the servers at etcd, of Prometheus and of the administrator, a key for tokens of service accounts, and a kubeconfig. What is there and valid stays; run it again before certificates end.',
  options: (command) =>
    command
      .requiredOption('--dir <dir>', 'where the files go')
      .option('--etcd-hosts <names>', 'names and addresses of the members of etcd', 'etcd')
      .option('--server-hosts <names>', 'names and addresses of the servers', 'plinth')
      .option('--url <url>', 'where kubectl finds the servers', 'https://127.0.0.1:6443')
      .option(
        '--separate',
        'puts what each process needs, and nothing else, in a directory of its own in --dir: etcd, server, prometheus, grafana (a random password)',
      )
      .option(
        '--replace-signing-key',
        'makes another key for tokens of service accounts; tokens of the one before are accepted until the next time',
      ),
  run: async (options, write) => {
    const { writeInstallation } = await import('../../access/pki/installation.ts');
    const dir = textOf(options, 'dir');
    await writeInstallation(dir, {
      etcdHosts: commaList(textOf(options, 'etcdHosts')),
      serverHosts: commaList(textOf(options, 'serverHosts')),
      url: textOf(options, 'url'),
      separate: options['separate'] === true,
      replaceSigningKey: options['replaceSigningKey'] === true,
      now: systemClock.now(),
    });
    write(`Certificates and admin.kubeconfig are in ${dir}.\n`);
  },
};
