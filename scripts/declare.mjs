// Run by npm before it packs a package for others: its JavaScript is built and declarations are written next to it. The
// repository itself does not use them, so nothing else makes them.
import { ensureInstalled } from './steps/install.mjs'
import { installed, passThrough, root } from './steps/run-command.mjs'
import { runScript } from './steps/say.mjs'
import { transpile } from './steps/transpile.mjs'

const declarations = ['--noEmit', 'false', '--incremental', 'false', '--declaration', '--emitDeclarationOnly']

await runScript(async () => {
  await ensureInstalled('everything')
  await transpile(root)
  return passThrough(installed('tsc'), ['-p', '.', '--rootDir', 'src', '--outDir', 'dist', ...declarations], {
    cwd: process.cwd(),
  })
})
