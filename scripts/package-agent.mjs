// `npm run package:agent`: the workstation agent as one executable, for machines without Node.
//
//   npm run package:agent
//   npm run package:agent -- --platform win32-x64 --node node.exe --addon pkcs11.node
import { parseArgs } from 'node:util'
import { here, packageAgent, platforms } from './steps/agent-package.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { root } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  const { platform = here, node, addon, out = `${root}packages-of-agent` } = optionsOf(process.argv.slice(2))
  const file = await packageAgent(root, { platform, node, addon, out })
  console.log(file)
  return 0
})

/** @param {string[]} args */
function optionsOf(args) {
  const string = /** @type {const} */ ({ type: 'string' })
  try {
    return parseArgs({ args, options: { platform: string, node: string, addon: string, out: string } }).values
  } catch (error) {
    throw new Hindrance(`${/** @type {Error} */ (error).message}\nPlatforms are ${Object.keys(platforms).join(', ')}.`)
  }
}
