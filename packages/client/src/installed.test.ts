import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const client = join(import.meta.dirname, '..')
const modules = join(client, '../../node_modules')

describe('in a project that installed it', () => {
  const project = mkdtempSync(join(tmpdir(), 'chancela-client-'))
  const installed = join(project, 'node_modules/@chancela/client')

  beforeAll(async () => {
    mkdirSync(installed, { recursive: true })
    mkdirSync(join(project, 'node_modules/@types'))
    await run('npm', ['pack', '--pack-destination', project], { cwd: client })
    const [packed = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'))
    await run('tar', ['-xzf', join(project, packed), '-C', installed, '--strip-components=1'])
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(modules, name), join(project, 'node_modules', name))
    cpSync(join(client, 'examples'), project, { recursive: true })
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  })

  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test('the examples compile under strict rules, with the types of Node alone', async () => {
    // No DOM, and no access beyond the client's declarations.
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const { stdout } = await run(join(modules, '.bin/tsc'), ['-p', project]).catch((error) => error)
    expect(stdout).toBe('')
  })

  test.each([
    ['session-server', 'ChancelaConnectionError,ChancelaError,createSessionClient,isSessionError'],
    ['cloud-hub', 'ChancelaConnectionError,ChancelaError,createHubClient,isHubError,returnedSession'],
  ])('its entry %s runs as plain JavaScript, with nothing else installed', async (entry, names) => {
    const program = `import * as client from '@chancela/client/${entry}'; console.log(Object.keys(client).join())`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: project })
    expect(stdout.trim()).toBe(names)
  })
})
