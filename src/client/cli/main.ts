#!/usr/bin/env node
import { runCli } from './run-cli.js';
import { processWorld } from './world/process-world.js';

process.exitCode = await runCli(process.argv.slice(2), processWorld());
