import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Defects planted in a copy of this very tree, and what the gate of `npm run check` that must refuse them reports. */
const defects = [
  [
    'lint',
    'a forbidden import and a badly formatted file',
    (tree: string) => {
      plant(
        tree,
        'packages/service-kernel/src/clock/planted.ts',
        `import { testClock } from '@chancela/testkit/clock'\n\nexport const planted = testClock\n`,
      )
      plant(tree, 'packages/service-kernel/src/clock/untidy.ts', 'export   const untidy=1;\n')
    },
    [/clock\/planted\.ts:1.*noRestrictedImports/, /clock\/untidy\.ts format/],
  ],
  [
    'types',
    'a wrong type in a service, in a page and in a test',
    (tree: string) => {
      const wrong = `\nexport const wrong: number = 'a text'\n`
      appendFileSync(join(tree, 'services/cloud-hub/src/settings.ts'), wrong)
      appendFileSync(join(tree, 'apps/web-console/src/home/home-page.tsx'), wrong)
      appendFileSync(join(tree, 'packages/service-kernel/src/store/row-id.test.ts'), wrong)
    },
    [/cloud-hub\/src\/settings\.ts.*TS2322/, /home\/home-page\.tsx.*TS2322/, /store\/row-id\.test\.ts.*TS2322/],
  ],
  [
    'house',
    'a path into an app, a state that is written past its table and a citation that leads nowhere',
    (tree: string) => {
      plant(
        tree,
        'services/cloud-hub/src/planted.ts',
        `export const pages = new URL('../../../apps/web', import.meta.url)\n`,
      )
      plant(
        tree,
        'services/cloud-hub/src/store/planted.ts',
        `export const change = { text: \`update session set state = 'Ended'\` }\n`,
      )
      plant(tree, 'docs/planted.md', `It must be so (cloud-hub ${'facts'} 9.9).\n`)
    },
    [
      /cloud-hub\/src\/planted\.ts:1 no-path-into-an-app/,
      /store\/planted\.ts:1 states-change-by-moves/,
      /docs\/planted\.md:1 citations-are-noted/,
    ],
  ],
  [
    'dead-code',
    'an unused export and an unused file',
    (tree: string) => {
      appendFileSync(
        join(tree, 'packages/service-kernel/src/service/closing-list.ts'),
        '\nexport const nobodyAsksForThis = 1\n',
      )
      plant(tree, 'packages/service-kernel/src/clock/planted.ts', 'export const planted = 1\n')
    },
    [/nobodyAsksForThis/, /clock\/planted\.ts/],
  ],
  [
    'docs',
    'drifting generated documents, sources included, a dead link, and threats without a test',
    (tree: string) => {
      appendFileSync(join(tree, 'packages/client/src/session-server/generated.ts'), '\n// Written by hand.\n')
      appendFileSync(join(tree, 'docs/configuration.md'), '\nA line nobody generated.\n')
      appendFileSync(join(tree, 'ARCHITECTURE.md'), '\n[gone](docs/gone.md)\n')
      const threats = ['| Threat | Test |', '|---|---|', '| A | `was-renamed` |', '| B | none |', '']
      appendFileSync(join(tree, 'docs/security.md'), `\n${threats.join('\n')}`)
    },
    [
      /packages\/client\/src\/session-server\/generated\.ts drifts from its source: run npm run docs/,
      /docs\/configuration\.md/,
      /docs\/gone\.md/,
      /docs\/security\.md:\d+ names the test was-renamed, which is not there/,
      /docs\/security\.md:\d+ names no test/,
    ],
  ],
] as const

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'gates-'))
  execFileSync('git', ['init', '-q', copy])
  for (const file of trackedFiles().filter((path) => existsSync(path))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(file, join(copy, file))
  }
  linkModules(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('npm run check', () => {
  // CI, which runs every gate, shows that the tree itself passes.
  test.each(defects)('refuses at its gate %s %s, and names each', (gate, _what, sow, named) => {
    sow(copy)
    const { status, output } = check(copy, gate)
    expect(status).toBe(1)
    for (const one of named) expect(output).toMatch(one)
  })
})

/** The files of a commit, including uncommitted work. */
function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  return listed.split('\n').filter(Boolean)
}

/** All installed modules, but not the caches of the gates. */
function linkModules(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from).filter((name) => name !== '.cache'))
    symlinkSync(join(from, name), join(to, name))
}

function plant(tree: string, path: string, text: string): void {
  writeFileSync(join(tree, path), text)
}

function check(tree: string, gate: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check.mjs', gate], {
    cwd: tree,
    encoding: 'utf8',
  })
  return { status, output: stripVTControlCharacters(`${stdout}${stderr}`) }
}
