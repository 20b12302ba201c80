import { createServer } from 'node:http';

/** A process that stands for a replica: `node replica-child.js PORT [dies]`. */
const [port = '', how = ''] = process.argv.slice(2);
if (how === 'dies') {
  console.error('the store has schema 7, and this version knows 5');
  process.exit(1);
}
const server = createServer((req, res) => {
  const delayMs = Number(new URL(req.url!, 'http://replica').searchParams.get('delay_ms'));
  setTimeout(() => res.end(String(process.pid)), delayMs);
});
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
  setInterval(() => server.closeIdleConnections(), 20);
});
