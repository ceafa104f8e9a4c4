// `npm run build`: installs what is missing and builds what is outdated.
import { ensureBuilt } from './steps/build.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { runScript } from './steps/say.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('start')
  await ensureBuilt()
  return 0
})
