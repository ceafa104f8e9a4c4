// `npm run prove:agent`: an agent with a token, whose server is restarted fifty times, gracefully and by kill -9.
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['softhsm2-util'])
  process.env.CHANCELA_AGENT_RESTARTS = '50'
  return passThrough('npx', [
    'vitest',
    'run',
    'services/session-server/test/prove-agent.test.ts',
    '--testTimeout=1800000',
  ])
})
