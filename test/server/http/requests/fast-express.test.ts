import { expect } from 'chai';
import type { Express } from 'express';
import { createFastExpress } from '#http/requests/fast-express';
import { listen } from '#test/support/listen';

describe('fast Express', () => {
  it('gives requests and responses the prototypes of the app before Express runs', async () => {
    const seen: boolean[] = [];
    const begin =
      (app: Express): Parameters<typeof createFastExpress>[1] extends (app: Express) => infer L ? L : never =>
      (req, res) => {
        seen.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
        app(req, res);
        seen.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
      };
    const { app, server } = createFastExpress({}, begin);
    app.get('/', (req, res) => void res.json({ app: req.app === app && res.app === app, query: req.query.a }));
    const response = await fetch(`http://127.0.0.1:${await listen(server)}/?a=1`);
    expect(await response.json()).to.deep.equal({ app: true, query: '1' });
    expect(seen).to.deep.equal([true, true, true, true]);
    server.closeAllConnections();
    server.close();
  });
});
