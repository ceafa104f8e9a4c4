// `npm start`: from a bare clone to the running demo. Everything here uses Node alone, because nothing is installed yet.
import { bundlePages } from './steps/bundle-pages.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { root } from './steps/run-command.mjs'
import { runScript, say } from './steps/say.mjs'
import { transpile } from './steps/transpile.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('start')
  // Pages are built from sources: they are bundled while the rest is transpiled, and while the first keys are made.
  const pages = bundlePages(root)
  pages.catch(() => undefined) // reported by the code that awaits them
  await transpile(root)
  const { endSoon, runDemo } = await import('@chancela/demo/start')
  return runDemo(process.argv.slice(2), { pages, log: say, onStopped: endSoon })
})
