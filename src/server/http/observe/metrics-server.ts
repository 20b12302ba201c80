import { createServer } from 'node:http';
import type { Timers } from '#system/timers';
import { createLifecycle, type Lifecycle } from '../lifecycle.js';
import * as limits from '../limits/limits.js';
import type { Metrics } from './metrics.js';

/**
 * Returns the operators' own door, not yet listening: GET /metrics and nothing else. It has its own
 * port, so that the figures of a business are not on its public address.
 */
export function createMetricsServer(metrics: Metrics, timers: Timers): Pick<Lifecycle, 'listen' | 'stop'> {
  const options = { maxHeaderSize: limits.HEADER_BYTES_MAX, requestTimeout: limits.REQUEST_WAIT_MS };
  const server = createServer(options, async (req, res) => {
    // Scrapers may be set to send parameters, and probes ask with HEAD.
    const isAsked = req.method === 'GET' || req.method === 'HEAD';
    if (!isAsked || req.url?.split('?', 1)[0] !== '/metrics') {
      res.writeHead(404, { 'Content-Type': 'application/json' });
      res.end('{"error":"there is nothing here but GET /metrics"}');
      return;
    }
    const text = await metrics.text().catch((error: Error) => error);
    if (typeof text === 'string') res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
    else res.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"the metrics cannot be read"}');
  });
  server.maxConnections = METRICS_CONNECTIONS_MAX;
  return createLifecycle(server, timers);
}

/** Scrapers are few. */
const METRICS_CONNECTIONS_MAX = 32;
