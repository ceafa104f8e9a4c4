// `npm start`: from a bare clone to the running demo. Everything here uses Node alone, because nothing is installed yet.
import { ensureBuilt } from './steps/build.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { runScript } from './steps/say.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('start')
  await ensureBuilt()
  const { runDemo } = await import('@chancela/demo/start')
  return runDemo(process.argv.slice(2))
})
