import { render } from 'preact';
import { ApiClient } from '../client/client.ts';

const client = new ApiClient({ headers: () => ({ 'x-plinth-console': '1' }) });
const root = document.getElementById('app');
if (root !== null) {
  const { status } = await client.transport.raw('GET', '/version');
  render(<p>Plinth answers {status}</p>, root);
}
