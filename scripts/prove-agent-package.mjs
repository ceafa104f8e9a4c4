// `npm run prove:agent-package`: makes the package of the workstation agent for this machine and uses it where there is
// no Node.
import { here, packageAgent } from './steps/agent-package.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough, root } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

await runScript(async () => {
  requireNode()
  if (process.platform !== 'linux') throw new Hindrance('This proof needs Linux: a root of its own, and a systemd.')
  await ensureInstalled('everything')
  await ensureSystemTools(['softhsm2-util', 'systemd-analyze', 'unshare', 'script'])
  process.env.CHANCELA_AGENT_PACKAGE = await packageAgent(root, { platform: here, out: `${root}packages-of-agent` })
  return passThrough('npx', ['vitest', 'run', 'services/session-server/test/prove-agent-package.test.ts'])
})
