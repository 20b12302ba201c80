import { benchAttribution } from './attribution.js';
import { benchDebits } from './debits.js';
import { benchDisk } from './disk.js';
import { benchEvidence } from './evidence.js';
import { benchFrames } from './frames.js';
import { benchHttp } from './http.js';
import { benchLoad } from './load.js';
import { benchMemory } from './memory.js';
import { benchNight } from './night/night.js';
import { benchNodes } from './nodes/nodes.js';
import { benchPayments } from './payments/payments.js';
import { benchPeers } from './peers/peers.js';
import { benchRatingRules } from './rating-rules.js';
import { benchRatings } from './ratings.js';
import { benchRatingsEngine } from './ratings-engine.js';
import { benchScoreboard } from './scoreboard.js';
import type { Section } from './support/report.js';
import { benchVerdict } from './verdict.js';
import { benchWalletAnswers } from './wallet-answers.js';

/** The parts of the benchmark by name. */
export const PARTS: Readonly<Record<string, () => Promise<Section>>> = {
  attribution: benchAttribution,
  frames: benchFrames,
  http: benchHttp,
  load: benchLoad,
  debits: benchDebits,
  disk: benchDisk,
  evidence: benchEvidence,
  memory: benchMemory,
  night: benchNight,
  nodes: benchNodes,
  payments: benchPayments,
  peers: benchPeers,
  'ratings-engine': benchRatingsEngine,
  'rating-rules': benchRatingRules,
  ratings: benchRatings,
  scoreboard: benchScoreboard,
  verdict: benchVerdict,
  'wallet-answers': benchWalletAnswers,
};

/** They take minutes, so they run only where they are named. */
export const BY_NAME_ONLY = [
  'night',
  'nodes',
  'peers',
  'rating-rules',
  'ratings',
  'ratings-engine',
  'scoreboard',
  'wallet-answers',
];
