import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { arePagesBuilt, bundlePages } from './bundle-pages.mjs'

const tree = mkdtempSync(join(tmpdir(), 'pages-'))
const config = `export default { build: { outDir: '../../services/a/pages/index', emptyOutDir: true } }\n`

beforeAll(() => {
  write('apps/web-console/vite.config.mjs', config)
  write('apps/web-console/bundles.json', '{ "index": { "into": "../../services/a/pages/index" } }')
  write('apps/web-console/index.html', '<p>a page</p>')
})

beforeEach(() => bundlePages(tree))

afterAll(() => rmSync(tree, { recursive: true, force: true }))

describe('pages that are built', () => {
  test.each([
    ['nothing', () => undefined],
    ['a change of a service', () => write('services/a/src/index.ts', '1')],
    ['a change of a test', () => write('apps/web-console/src/page.test.ts', '1')],
  ])('are up to date after %s', (_what, happen) => {
    happen()
    expect(arePagesBuilt(tree)).toBe(true)
  })

  test.each([
    ['a change of a page', () => write('apps/web-console/index.html', '<p>another page</p>')],
    ['a change of a contract', () => write('services/a/src/contract/index.ts', '1')],
    ['a change of the lockfile', () => write('package-lock.json', '{}')],
    ['the loss of a bundle', () => rmSync(join(tree, 'services/a/pages/index'), { recursive: true })],
  ])('are not up to date after %s, until they are built', async (_what, happen) => {
    happen()
    expect(arePagesBuilt(tree)).toBe(false)
    await bundlePages(tree)
    expect(arePagesBuilt(tree)).toBe(true)
  })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
