import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Imports that make a rule impure. */
const notPure = [
  ['the store', '../store/jobs.ts'],
  ['the context', '../context.ts'],
  ['an action', '../actions/x.ts'],
  ['a part', '../parts/signing/x.ts'],
  ['a client of another system', '../upstream/x.ts'],
  ["the kernel's store", '@chancela/service-kernel/store'],
  ["the kernel's HTTP", '@chancela/service-kernel/http'],
  ['the file system', 'node:fs'],
] as const

/** Every kind of import the rule forbids: importer, import, and the lint rule that must report it. */
const violations = [
  [
    'the engine imports the kernel',
    'packages/signature-engine/src/a.ts',
    '@chancela/service-kernel/http',
    'noRestrictedImports',
  ],
  ['the kernel imports a service', 'packages/service-kernel/src/a.ts', '@chancela/batch-signer', 'noRestrictedImports'],
  [
    "the kernel imports a service's contract",
    'packages/service-kernel/src/b.ts',
    '@chancela/batch-signer/contract',
    'noRestrictedImports',
  ],
  [
    'the kernel imports the testkit',
    'packages/service-kernel/src/c.ts',
    '@chancela/testkit/stores',
    'noRestrictedImports',
  ],
  [
    'the kernel imports the admin console',
    'packages/service-kernel/src/f.ts',
    '@chancela/admin-console',
    'noRestrictedImports',
  ],
  ['the kernel imports the outbox', 'packages/service-kernel/src/g.ts', '@chancela/outbox/mail', 'noRestrictedImports'],
  ['the outbox imports a service', 'packages/outbox/src/a.ts', '@chancela/batch-signer', 'noRestrictedImports'],
  [
    'the admin console imports a service',
    'packages/admin-console/src/a.ts',
    '@chancela/batch-signer',
    'noRestrictedImports',
  ],
  [
    'the academic documents import the kernel',
    'packages/academic-documents/src/a.ts',
    '@chancela/service-kernel/clock',
    'noRestrictedImports',
  ],
  ['the links import a service', 'packages/service-links/src/a.ts', '@chancela/cloud-hub', 'noRestrictedImports'],
  ['the links import the outbox', 'packages/service-links/src/b.ts', '@chancela/outbox/mail', 'noRestrictedImports'],
  [
    'the kernel imports the links',
    'packages/service-kernel/src/h.ts',
    '@chancela/service-links',
    'noRestrictedImports',
  ],
  ['the testkit imports a service', 'packages/testkit/src/a.ts', '@chancela/batch-signer', 'noRestrictedImports'],
  [
    "the client imports a service's contract",
    'packages/client/src/a.ts',
    '@chancela/batch-signer/contract',
    'noRestrictedImports',
  ],
  ['the client imports a module of Node', 'packages/client/src/b.ts', 'node:buffer', 'noRestrictedImports'],
  ['a service imports another service', 'services/batch-signer/src/a.ts', '@chancela/cloud-hub', 'noRestrictedImports'],
  ['a service imports an app', 'services/batch-signer/src/b.ts', '@chancela/cli', 'noRestrictedImports'],
  [
    'a service imports the testkit',
    'services/batch-signer/src/c.ts',
    '@chancela/testkit/stores',
    'noRestrictedImports',
  ],
  [
    "a service enters another's source by a relative path",
    'services/batch-signer/src/d.ts',
    '../../cloud-hub/src/rules/x.ts',
    'noRestrictedImports',
  ],
  [
    'a service enters a package past its exports',
    'services/batch-signer/src/e.ts',
    '@chancela/service-kernel/dist/http/app.js',
    'noRestrictedImports',
  ],
  [
    'a contract imports the kernel',
    'services/batch-signer/src/contract/a.ts',
    '@chancela/service-kernel/http',
    'noRestrictedImports',
  ],
  [
    "the admin console's contract imports the rest of the console",
    'packages/admin-console/src/contract/a.ts',
    '../operator.ts',
    'noRestrictedImports',
  ],
  ['a contract imports a server library', 'services/batch-signer/src/contract/b.ts', 'fastify', 'noRestrictedImports'],
  ['a contract imports a rule', 'services/batch-signer/src/contract/c.ts', '../rules/x.ts', 'noRestrictedImports'],
  ...notPure.map(
    ([what, target], at) =>
      [
        `a rule imports ${what}`,
        `services/batch-signer/src/rules/not-pure-${at}.ts`,
        target,
        'noRestrictedImports',
      ] as const,
  ),
  ['an action imports a route', 'services/batch-signer/src/actions/a.ts', '../routes/x.ts', 'noRestrictedImports'],
  ['an action imports a worker', 'services/batch-signer/src/actions/b.ts', '../workers/x.ts', 'noRestrictedImports'],
  ['an action imports the web framework', 'services/batch-signer/src/actions/c.ts', 'fastify', 'noRestrictedImports'],
  [
    'an action imports another service',
    'services/batch-signer/src/actions/d.ts',
    '@chancela/cloud-hub',
    'noRestrictedImports',
  ],
  ['the store imports an action', 'services/batch-signer/src/store/a.ts', '../actions/x.ts', 'noRestrictedImports'],
  ['the store imports a part', 'services/batch-signer/src/store/b.ts', '../parts/x/x.ts', 'noRestrictedImports'],
  [
    'an app other than the demo imports the testkit',
    'apps/cli/src/a.ts',
    '@chancela/testkit/demo-pki',
    'noRestrictedImports',
  ],
  [
    'browser code imports server code',
    'apps/web-console/src/a.ts',
    '@chancela/service-kernel/http',
    'noRestrictedImports',
  ],
  [
    'a test enters a package past its exports',
    'services/batch-signer/test/a.test.ts',
    '../../../packages/service-kernel/src/http/app.ts',
    'noRestrictedImports',
  ],
  [
    'a package imports what it does not declare',
    'services/batch-signer/src/f.ts',
    'left-pad',
    'noUndeclaredDependencies',
  ],
] as const

/** Imports the rule allows; a rule that forbids everything would pass the table above. */
const allowed = [
  ['a service imports the kernel', 'services/batch-signer/src/g.ts', '@chancela/service-kernel/http'],
  ["a service imports another's contract", 'services/batch-signer/src/h.ts', '@chancela/cloud-hub/contract'],
  ['a contract imports the schema library', 'services/batch-signer/src/contract/d.ts', 'typebox'],
  ['a contract imports its own files', 'services/batch-signer/src/contract/e.ts', './d.ts'],
  ['a rule imports another rule', 'services/batch-signer/src/rules/b.ts', './c.ts'],
  ['a rule imports the contract', 'services/batch-signer/src/rules/c.ts', '../contract/d.ts'],
  ['a rule imports the shapes of rows', 'services/batch-signer/src/rules/d.ts', '../store/tables.ts'],
  ['a rule imports the table of moves', 'services/batch-signer/src/rules/e.ts', '@chancela/service-kernel/states'],
  ['an action imports the store', 'services/batch-signer/src/actions/e.ts', '../store/x.ts'],
  ['an action imports a part', 'services/batch-signer/src/actions/f.ts', '../parts/signing/x.ts'],
  ['the admin console imports the kernel', 'packages/admin-console/src/b.ts', '@chancela/service-kernel/http'],
  ['a service imports the admin console', 'services/batch-signer/src/i.ts', '@chancela/admin-console'],
  ['the outbox imports the kernel', 'packages/outbox/src/b.ts', '@chancela/service-kernel/store'],
  ['a service imports the outbox', 'services/batch-signer/src/j.ts', '@chancela/outbox/webhooks'],
  ["the links import a service's contract", 'packages/service-links/src/c.ts', '@chancela/cloud-hub/contract'],
  ['the links import the kernel', 'packages/service-links/src/d.ts', '@chancela/service-kernel/http-client'],
  [
    'the academic documents import the engine',
    'packages/academic-documents/src/b.ts',
    '@chancela/signature-engine/x509',
  ],
  [
    'a service imports the academic documents',
    'services/batch-signer/src/l.ts',
    '@chancela/academic-documents/layouts',
  ],
  ['a service imports the links', 'services/batch-signer/src/k.ts', '@chancela/service-links'],
  ['the kernel imports the engine', 'packages/service-kernel/src/d.ts', '@chancela/signature-engine/x509'],
  ['the demo imports the testkit', 'apps/demo/src/a.ts', '@chancela/testkit/demo-pki'],
  ['a test imports the testkit', 'packages/service-kernel/src/e.test.ts', '@chancela/testkit/stores'],
  ['a test of the client imports Node', 'packages/client/src/c.test.ts', 'node:buffer'],
  ['browser code imports a contract', 'apps/web-console/src/b.ts', '@chancela/batch-signer/contract'],
] as const

const workspaces = [
  'packages/signature-engine',
  'packages/academic-documents',
  'packages/service-kernel',
  'packages/admin-console',
  'packages/outbox',
  'packages/service-links',
  'packages/testkit',
  'packages/client',
  'services/batch-signer',
  'services/cloud-hub',
  'apps/cli',
  'apps/demo',
  'apps/web-console',
]
const declared = [
  'service-kernel',
  'admin-console',
  'outbox',
  'service-links',
  'academic-documents',
  'signature-engine',
  'testkit',
  'batch-signer',
  'cloud-hub',
  'cli',
]
  .map((name) => `@chancela/${name}`)
  .concat('typebox', 'fastify')

let tree: string
let findings: { rule: string; path: string }[]

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'import-rule-'))
  execFileSync('git', ['init', '-q', tree])
  copyFileSync('biome.json', join(tree, 'biome.json'))
  copyFileSync('.gitignore', join(tree, '.gitignore'))
  for (const folder of workspaces) plantPackage(folder)
  for (const [, path, target] of [...violations, ...allowed])
    plant(path, `import * as imported from '${target}'\nexport const used = imported\n`)
  plant('services/cloud-hub/src/one.ts', `import { two } from './two.ts'\nexport const one = () => two\n`)
  plant('services/cloud-hub/src/two.ts', `import { one } from './one.ts'\nexport const two = () => one\n`)
  findings = lint()
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

describe('the import rule', () => {
  test.each(violations)('reports that %s', (_what, path, _target, rule) => {
    expect(findings.filter((finding) => finding.path === path).map((finding) => finding.rule)).toContain(rule)
  })

  test.each(allowed)('accepts that %s', (_what, path) => {
    expect(findings.filter((finding) => finding.path === path && finding.rule !== 'format')).toEqual([])
  })

  test('reports a cycle between two files', () => {
    const cycle = findings.filter((finding) => finding.rule === 'noImportCycles').map((finding) => finding.path)
    expect(cycle.sort()).toEqual(['services/cloud-hub/src/one.ts', 'services/cloud-hub/src/two.ts'])
  })
})

function plantPackage(folder: string) {
  const name = `@chancela/${folder.split('/').at(-1)}`
  const dependencies = Object.fromEntries(declared.filter((one) => one !== name).map((one) => [one, '*']))
  plant(join(folder, 'package.json'), JSON.stringify({ name, dependencies }))
}

function plant(path: string, text: string) {
  mkdirSync(join(tree, dirname(path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

/** Runs the linter of the project, with the configuration of the project, over the planted tree. */
function lint() {
  const biome = join(process.cwd(), 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: tree,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[]
  }
  return diagnostics.map(({ category, location }) => ({
    rule: category.split('/').at(-1)!,
    path: typeof location.path === 'string' ? location.path : location.path.file,
  }))
}
