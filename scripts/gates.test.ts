import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A defect planted in a copy of this very tree, and the gate of `npm run check` that must refuse it. */
const defects = [
  [
    'a forbidden import',
    'lint',
    (tree: string) =>
      plant(
        tree,
        'packages/service-kernel/src/clock/planted.ts',
        `import { testClock } from '@chancela/testkit/clock'\n\nexport const planted = testClock\n`,
      ),
  ],
  [
    'a badly formatted file',
    'lint',
    (tree: string) => plant(tree, 'packages/service-kernel/src/clock/planted.ts', 'export   const planted=1;\n'),
  ],
  [
    'an unused export',
    'dead-code',
    (tree: string) =>
      appendFileSync(
        join(tree, 'packages/service-kernel/src/service/closing-list.ts'),
        '\nexport const nobodyAsksForThis = 1\n',
      ),
  ],
  [
    'an unused file',
    'dead-code',
    (tree: string) => plant(tree, 'packages/service-kernel/src/clock/planted.ts', 'export const planted = 1\n'),
  ],
  [
    'a drifting generated document',
    'docs',
    (tree: string) => appendFileSync(join(tree, 'docs/configuration.md'), '\nA line nobody generated.\n'),
  ],
  [
    'a dead link in a document',
    'docs',
    (tree: string) => appendFileSync(join(tree, 'ARCHITECTURE.md'), '\n[gone](docs/gone.md)\n'),
  ],
] as const

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'gates-'))
  execFileSync('git', ['init', '-q', copy])
  for (const file of trackedFiles()) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(file, join(copy, file))
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('npm run check', () => {
  test.each(['lint', 'dead-code', 'docs'])('passes the tree as it is at its gate %s', (gate) => {
    expect(check(copy, gate)).toMatchObject({ status: 0 })
  })

  test.each(defects)('refuses %s', (_what, gate, sow) => {
    const tree = `${copy}-planted`
    cpSync(copy, tree, { recursive: true, verbatimSymlinks: true })
    try {
      sow(tree)
      expect(check(tree, gate)).toMatchObject({ status: 1 })
    } finally {
      rmSync(tree, { recursive: true, force: true })
    }
  })
})

/** What a commit would hold, uncommitted work included. */
function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  return listed.split('\n').filter(Boolean)
}

function plant(tree: string, path: string, text: string): void {
  writeFileSync(join(tree, path), text)
}

function check(tree: string, gate: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check.mjs', gate], {
    cwd: tree,
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}
