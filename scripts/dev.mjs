// `npm run dev`: the demo, restarted when a source changes; its data stays. Passes arguments to the demo.
import { ensureBuilt } from './steps/build.mjs'
import { DemoProcess } from './steps/demo-process.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { root } from './steps/run-command.mjs'
import { Hindrance, runScript, say } from './steps/say.mjs'
import { changes } from './steps/watch-sources.mjs'

const demo = new DemoProcess(process.argv.slice(2))

await runScript(async () => {
  requireNode()
  demo.endWithUs()
  await ensureInstalled('start')
  // Watching begins before the first build, so that a change made meanwhile counts.
  const changing = changes(root)
  let next = changing.next()
  await begin('Started')
  for (;;) {
    const { value: changed } = await next
    next = changing.next()
    await begin(`Started anew, changed: ${shortList(changed)}`)
  }
})

/** From the sources as they are now; when they cannot be built or do not start, the next change is waited for.
 * @param {string} what */
async function begin(what) {
  const begun = Date.now()
  try {
    await ensureBuilt()
    await demo.restart()
    say(`${what} (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
  } catch (error) {
    if (!(error instanceof Hindrance)) throw error
    say(`${error.message}\nWaiting for the next change.`)
  }
}

/** @param {string[]} paths */
function shortList([first = '', ...others]) {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
