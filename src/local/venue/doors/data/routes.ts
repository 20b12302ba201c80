import express, { type Router } from 'express';
import type { DataOptions } from './data-options.js';
import { dataV1Routes } from './data-v1-routes.js';
import { dataV2Routes } from './data-v2-routes.js';

/** The Data API in both versions: who traded what, and how markets were settled. */
export function dataRoutes(options: DataOptions): Router {
  const router = express.Router();
  router.use((_request, _response, next) => {
    options.ready();
    next();
  });
  router.use('/v2', dataV2Routes(options));
  router.use(dataV1Routes(options));
  return router;
}
