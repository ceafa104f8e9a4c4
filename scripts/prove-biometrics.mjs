// `npm run prove:biometrics`: what the face engine and the challenges accept and refuse, over all the pictures at hand;
// writes the figures into docs/biometrics.md.
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  process.env.CHANCELA_BIOMETRICS = 'whole'
  return passThrough('npx', ['vitest', 'run', 'services/pki-core/test/prove-biometrics.test.ts'])
})
