import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { arePagesBuilt, bundlePages } from './bundle-pages.mjs'

const tree = mkdtempSync(join(tmpdir(), 'pages-'))
const config = `export default { build: { outDir: '../../services/a/pages/index', emptyOutDir: true } }\n`

beforeAll(() => {
  write('apps/web-console/vite.config.mjs', config)
  write('apps/web-console/bundles.json', '{ "index": { "into": "../../services/a/pages/index" } }')
  write('apps/web-console/index.html', '<p>a page</p><script type="module" src="./main.js"></script>')
  write('apps/web-console/main.js', 'document.title = process.env.NODE_ENV')
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
    ['a change of a page', () => write('apps/web-console/main.js', 'document.body.title = process.env.NODE_ENV')],
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

test('pages are those of production, whoever builds them', () => {
  const assets = join(tree, 'services/a/pages/index/assets')
  const scripts = readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'))
  expect(process.env.NODE_ENV).toBe('test')
  expect(scripts.join()).toContain('production')
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
