import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stampLevel } from './steps/install.mjs'

/** A demo small enough to start at once: it prints a table, records that it ran, and waits to be stopped. */
const main = `import { appendFileSync } from 'node:fs'
import { greeting } from './greeting.ts'

export async function runDemo([note]: readonly string[]): Promise<number> {
  appendFileSync(note!, \`\${process.pid} \${greeting}\\n\`)
  console.log('the table')
  const alive = setInterval(() => undefined, 1000)
  await new Promise((resolve) => process.once('SIGINT', resolve))
  clearInterval(alive)
  return 0
}
`
const pages = `export default { build: { outDir: '../demo/pages/index', emptyOutDir: true } }\n`

describe('npm run dev', () => {
  const tree = mkdtempSync(join(tmpdir(), 'dev-'))
  const notes = join(tree, 'notes')
  let dev: ChildProcess
  let output = ''

  beforeAll(() => {
    plantTree(tree)
    // As a user starts it: the test runner's own options would be looked up in the planted tree.
    dev = spawn(process.execPath, [join(tree, 'scripts/dev.mjs'), notes], { env: { ...process.env, NODE_OPTIONS: '' } })
    for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk) => (output += chunk))
  })

  afterAll(() => {
    dev.kill('SIGINT')
    rmSync(tree, { recursive: true, force: true })
  })

  const runs = () =>
    readFileSync(notes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
  const said = (text: string | RegExp) => expect.poll(() => output).toMatch(text)

  test('starts the demo with its arguments and shows its table', async () => {
    await said(/the table\n.*Started \(\d+\.\d s\)/)
    expect(runs().map(([, greeting]) => greeting)).toEqual(['one'])
  })

  test('starts it anew when a source changes, and says what changed and how long it took', async () => {
    output = ''
    write(tree, 'apps/demo/src/greeting.ts', `export const greeting: string = 'two'\n`)
    await said(/Started anew, changed: apps\/demo\/src\/greeting\.ts \(\d+\.\d s\)\n$/)
    expect(output).not.toContain('the table')
    expect(runs().map(([, greeting]) => greeting)).toEqual(['one', 'two'])
    expect(isAlive(runs()[0])).toBe(false)
  })

  test('leaves what runs running when a source cannot be read, and starts anew when it is mended', async () => {
    output = ''
    write(tree, 'apps/demo/src/greeting.ts', `export const greeting = {\n`)
    await said(/apps\/demo\/src\/greeting\.ts: [\s\S]*Waiting for the next change/)
    expect(isAlive(runs()[1])).toBe(true)
    write(tree, 'apps/demo/src/greeting.ts', `export const greeting = 'three'\n`)
    await said(/Started anew/)
    expect(runs().map(([, greeting]) => greeting)).toEqual(['one', 'two', 'three'])
  })

  test('waits for the next change when what is built does not start', async () => {
    output = ''
    write(tree, 'apps/demo/src/greeting.ts', `export const greeting = 'four'\nthrow new Error('not today')\n`)
    await said(/not today[\s\S]*The demo did not start[\s\S]*Waiting for the next change/)
    write(tree, 'apps/demo/src/greeting.ts', `export const greeting = 'five'\n`)
    await said(/Started anew/)
  })

  test('builds the pages when one changes', async () => {
    output = ''
    write(tree, 'apps/web-console/index.html', '<p>second</p>')
    await said(/Started anew, changed: apps\/web-console\/index\.html/)
    expect(readFileSync(join(tree, 'apps/demo/pages/index/index.html'), 'utf8')).toContain('second')
  })

  test('stops the demo when it is stopped', async () => {
    const ended = once(dev, 'exit')
    dev.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(isAlive(runs().at(-1))).toBe(false)
  })
})

/** The scripts of this repository over sources of their own, with the tools that are installed here. */
function plantTree(tree: string): void {
  cpSync('scripts', join(tree, 'scripts'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(tree, file))
  write(tree, 'apps/demo/package.json', JSON.stringify({ type: 'module', exports: { './start': './dist/main.js' } }))
  write(tree, 'apps/demo/src/main.ts', main)
  write(tree, 'apps/demo/src/greeting.ts', `export const greeting: string = 'one'\n`)
  write(tree, 'apps/web-console/index.html', '<p>first</p>')
  write(tree, 'apps/web-console/vite.config.mjs', pages)
  write(tree, 'apps/web-console/bundles.json', '{ "index": { "into": "../demo/pages/index" } }')
  write(tree, 'node_modules/.package-lock.json', '{}')
  for (const name of ['rolldown', '.bin'])
    symlinkSync(join(process.cwd(), 'node_modules', name), join(tree, 'node_modules', name))
  mkdirSync(join(tree, 'node_modules/@chancela'))
  symlinkSync(join(tree, 'apps/demo'), join(tree, 'node_modules/@chancela/demo'))
  stampLevel('everything', tree)
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

function isAlive([pid]: string[] = []): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false // there is no such process
  }
}
