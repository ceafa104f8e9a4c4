import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changes } from './watch-sources.mjs'

test('tells of every change of a source: written, new in a new folder, removed; not of tests', async () => {
  const tree = sampleTree()
  const changing = changes(tree)
  const after = async (change: () => void) => {
    const next = changing.next()
    change()
    return (await next).value
  }
  expect(await after(() => write(tree, 'services/a/src/main.ts', '2'))).toEqual(['services/a/src/main.ts'])
  expect(
    await after(() => {
      write(tree, 'services/a/src/main.test.ts', '3')
      write(tree, 'services/a/src/new/part.ts', '3')
      write(tree, 'apps/web-console/src/page.css', '3')
    }),
  ).toEqual(['services/a/src/new/part.ts', 'apps/web-console/src/page.css'])
  expect(await after(() => write(tree, 'services/a/src/new/part.ts', 'four'))).toEqual(['services/a/src/new/part.ts'])
  expect(await after(() => rmSync(join(tree, 'services/a/src/new'), { recursive: true }))).toEqual([
    'services/a/src/new/part.ts',
  ])
})

function sampleTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'watch-'))
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  write(tree, 'services/a/src/main.ts', 'one')
  write(tree, 'apps/web-console/src/page.tsx', 'one')
  return tree
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
