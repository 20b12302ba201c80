import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import { type HonestAnswer, send } from './facilitator-answers.js';
import { FAULTS, FacilitatorFaults, type FaultPlan, type Operation, type Subject } from './facilitator-faults.js';
import { faultRoutes } from './fault-routes.js';
import type { LocalChain } from './local-chain.js';
import { type PaymentToSettle, Settler } from './settler.js';
import { transactionRoute } from './transaction-route.js';

export interface LocalFacilitatorOptions {
  readonly chain: LocalChain;
  /** Absent or 0: any free port. */
  readonly port?: number;
  /**
   * How long settle waits for the transfer to be in a block before it answers `settlement_pending`;
   * 10 s by default.
   */
  readonly confirmMsMax?: number;
}

/** A facilitator on loopback that settles on the local chain. Several may share one chain. */
export interface LocalFacilitator {
  /**
   * Base of /supported, /verify and /settle, and of /tx/HASH, where a person can look a transaction
   * up.
   */
  readonly url: string;
  /** Base of /faults and /calls, for other processes. */
  readonly controlUrl: string;
  readonly faults: FacilitatorFaults;
  stop(): Promise<void>;
}

const CONFIRM_MS_USUAL = 10_000;
const MINED_AFTER_MS_USUAL = 1_000;
const BODY_MAX = '100kb';

const BodySchema = z.object({
  paymentPayload: z.looseObject({ x402Version: z.union([z.literal(1), z.literal(2)]), payload: z.looseObject({}) }),
  paymentRequirements: z.looseObject({ scheme: z.string(), network: z.string() }),
});
const SubjectSchema = z.object({
  payload: z.object({ authorization: z.object({ from: z.string(), nonce: z.string() }) }),
});

/** Starts the local facilitator. Rejects if the port is taken. */
export async function startLocalFacilitator(options: LocalFacilitatorOptions): Promise<LocalFacilitator> {
  const settler = new Settler(options.chain, options.confirmMsMax ?? CONFIRM_MS_USUAL);
  const faults = new FacilitatorFaults();
  const server = createServer(facilitatorApp(options.chain, settler, faults));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, controlUrl: `${url}/control`, faults, stop: () => stop(server, settler) };
}

function facilitatorApp(chain: LocalChain, settler: Settler, faults: FacilitatorFaults): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: BODY_MAX }));
  app.use('/control', faultRoutes(faults));
  app.get('/tx/:hash', transactionRoute(chain));
  app.get('/supported', (_, response) =>
    follow(response, faults.next('supported', {}), {}, '', async () => settler.supported()),
  );
  app.post(
    '/verify',
    payment('verify', faults, (requested) => settler.verify(requested)),
  );
  app.post(
    '/settle',
    payment('settle', faults, (requested, { fault, minedAfterMs }) =>
      FAULTS[fault].work === 'later'
        ? settler.settleLater(requested, minedAfterMs ?? MINED_AFTER_MS_USUAL)
        : settler.settle(requested),
    ),
  );
  return app;
}

/** Reads a payment, counts the call and does with it what is planned. */
function payment(
  operation: Operation,
  faults: FacilitatorFaults,
  work: (requested: PaymentToSettle, plan: FaultPlan) => Promise<HonestAnswer>,
) {
  return async (request: Request, response: Response) => {
    const body = BodySchema.safeParse(request.body);
    const subject = body.success ? subjectOf(body.data.paymentPayload) : {};
    const plan = faults.next(operation, subject);
    if (!body.success) return void response.status(400).json({ error: z.prettifyError(body.error) });
    const requested = body.data as unknown as PaymentToSettle;
    await follow(response, plan, subject, body.data.paymentRequirements.network, () => work(requested, plan));
  };
}

async function follow(
  response: Response,
  plan: FaultPlan,
  subject: Subject,
  network: string,
  work: () => Promise<HonestAnswer>,
): Promise<void> {
  if (plan.delayMs !== undefined) await sleep(plan.delayMs);
  try {
    const honest = FAULTS[plan.fault].work === 'none' ? null : await work();
    send(response, { plan, honest, subject, network });
  } catch (error) {
    // As the reference server does with what it cannot read or reach.
    response.status(500).json({ error: error instanceof Error ? error.message : String(error) });
  }
}

function subjectOf(paymentPayload: unknown): Subject {
  const found = SubjectSchema.safeParse(paymentPayload);
  if (!found.success) return {};
  const { from, nonce } = found.data.payload.authorization;
  return { payer: from, nonce };
}

async function stop(server: Server, settler: Settler): Promise<void> {
  settler.stop();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
