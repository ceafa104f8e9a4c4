import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Hindrance } from './say.mjs'
import { transpile } from './transpile.mjs'

const index = `import type { Part } from './deep/part.ts'
import { part } from './deep/part.ts'
export * from './deep/other.ts'

export class Whole implements Part {
  static readonly only = new Whole()
  name: string = part.name
}
const later = (await import('./deep/part.ts')) satisfies { part: Part }
const shown = "import { part } from './deep/part.ts'"
console.log(Whole.name, Whole.only.name, later.part === part, shown.length, import.meta.url.endsWith('.js'))
`

describe('what is transpiled', () => {
  test('runs as the source is written: imports, dynamic ones included, lead to what was made; strings stay', async () => {
    const tree = sampleTree()
    await transpile(tree)
    const said = execFileSync(process.execPath, [join(tree, 'packages/a/dist/index.js')], { encoding: 'utf8' })
    expect(said).toBe('Whole a part true 37 true\n')
  })

  test('has a map that leads to its source', async () => {
    const tree = sampleTree()
    await transpile(tree)
    const code = readFileSync(join(tree, 'packages/a/dist/deep/part.js'), 'utf8')
    const map = join(tree, 'packages/a/dist/deep', /sourceMappingURL=(.+)/.exec(code)?.[1] ?? '')
    const { sources } = JSON.parse(readFileSync(map, 'utf8'))
    expect(sources.map((source: string) => join(dirname(map), source))).toEqual([
      join(tree, 'packages/a/src/deep/part.ts'),
    ])
  })

  test('is what runs on Node: no tests, nothing that supports them, no pages, no declarations', async () => {
    const tree = sampleTree()
    const unwanted = [
      'packages/a/src/a.test.ts',
      'services/b/src/test-support/b.ts',
      'apps/web-console/src/c.ts',
      'bench/src/d.d.ts',
    ]
    for (const path of unwanted) write(tree, path, 'export const unwanted = 1\n')
    const { written } = await transpile(tree)
    expect(written).toEqual(['packages/a/src/deep/other.ts', 'packages/a/src/deep/part.ts', 'packages/a/src/index.ts'])
  })
})

describe('after a first time', () => {
  test('nothing is written when nothing changed', async () => {
    const tree = sampleTree()
    await transpile(tree)
    const before = statSync(join(tree, 'packages/a/dist/index.js')).mtimeMs
    expect(await transpile(tree)).toEqual({ written: [], removed: [] })
    expect(statSync(join(tree, 'packages/a/dist/index.js')).mtimeMs).toBe(before)
  })

  test('what changed, what is new and what somebody deleted is written, and no more', async () => {
    const tree = sampleTree()
    await transpile(tree)
    write(tree, 'packages/a/src/deep/part.ts', 'export const part = 2 as number\n')
    write(tree, 'services/b/src/new.ts', 'export const fresh: boolean = true\n')
    rmSync(join(tree, 'packages/a/dist/deep/other.js'))
    const { written } = await transpile(tree)
    expect([...written].sort()).toEqual([
      'packages/a/src/deep/other.ts',
      'packages/a/src/deep/part.ts',
      'services/b/src/new.ts',
    ])
    expect(readFileSync(join(tree, 'packages/a/dist/deep/part.js'), 'utf8')).toContain('part = 2;')
  })

  test('what was made of a source that is gone is removed, and what was not made by us stays', async () => {
    const tree = sampleTree()
    await transpile(tree)
    write(tree, 'packages/a/dist/deep/other.d.ts', 'export {}\n')
    write(tree, 'packages/a/dist/index.d.ts', 'export {}\n')
    write(tree, 'packages/a/dist/.tsbuildinfo', '{}\n')
    rmSync(join(tree, 'packages/a/src/deep/other.ts'))
    expect((await transpile(tree)).removed).toEqual(['packages/a/src/deep/other.ts'])
    const left = (name: string) => existsSync(join(tree, 'packages/a/dist', name))
    expect(['deep/other.js', 'deep/other.js.map', 'deep/other.d.ts'].filter(left)).toEqual([])
    expect(['index.js', 'index.d.ts', 'deep/part.js', '.tsbuildinfo'].filter((name) => !left(name))).toEqual([])
  })
})

test('a source that is no TypeScript is named, and made once it is mended', async () => {
  const tree = sampleTree()
  write(tree, 'packages/a/src/deep/part.ts', 'export const part = {\n')
  const problem = await transpile(tree).catch((error) => error)
  expect(problem).toBeInstanceOf(Hindrance)
  expect(problem.message).toMatch(/^packages\/a\/src\/deep\/part\.ts: /)
  write(tree, 'packages/a/src/deep/part.ts', 'export const part = {}\n')
  expect((await transpile(tree)).written).toContain('packages/a/src/deep/part.ts')
})

function sampleTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'transpile-'))
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  write(tree, 'package.json', '{ "type": "module" }')
  write(tree, 'packages/a/src/index.ts', index)
  write(
    tree,
    'packages/a/src/deep/part.ts',
    `export interface Part { name: string }\nexport const part: Part = { name: 'a part' }\n`,
  )
  write(tree, 'packages/a/src/deep/other.ts', 'export const other = undefined as unknown as string\n')
  return tree
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
