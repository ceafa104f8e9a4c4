import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleService } from '@chancela/testkit/sample-service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CommandContext, catalogue, runCli } from './index.ts'

describe('chancela start', () => {
  test('answers until it is stopped, with the keys made before', async () => {
    const data = temporaryFolder()
    const key = (await cli(['keys', 'create', 'sample', '--application', 'tester', '--data', data])).out
    const { answered, code } = await startAndAsk(data, key)
    expect(answered).toBe(201)
    expect(code).toBe(0)
  })

  test('refuses a service this build does not have, naming those it has', async () => {
    const { code, err } = await cli(['start', '--only', 'batch-signer,document-platform'])
    expect(code).toBe(1)
    expect(err).toBe('batch-signer and document-platform are not part of this build yet; this build has sample.')
  })

  test('says so when the build has no service at all', async () => {
    const { code, err } = await cli(['start'], { services: [] })
    expect([code, err]).toEqual([1, 'This build has no service to start yet.'])
  })

  test('reports every wrong setting at once and starts nothing', async () => {
    const data = temporaryFolder()
    const config = join(data, 'chancela.json')
    writeFileSync(config, '{ "sample": { "Http": { "Port": "many", "Prot": 1 } }, "smaple": {} }')
    const { code, err } = await cli(['start', '--config', config, '--data', join(data, 'state')])
    expect(code).toBe(1)
    for (const key of ['sample Http:Port', 'sample Http:Prot', 'smaple']) expect(err).toContain(key)
    expect(existsSync(join(data, 'state'))).toBe(false)
  })
})

describe('chancela migrate', () => {
  test('brings the database to the schema once, and says so the second time', async () => {
    const data = temporaryFolder()
    const first = await cli(['migrate', '--data', data])
    expect(first.out).toMatch(/^sample \(SQLite [\d.]+\): 7 applied, 0 were there\n {2}api-keys 1: /)
    const second = await cli(['migrate', 'sample', '--data', data])
    expect(second.out).toMatch(/: up to date, 7 were there$/)
  })
})

describe('chancela config', () => {
  test('print shows values and sources, and never a secret', async () => {
    const environment = { CHANCELA__SAMPLE__HTTP__PORT: '4711', CHANCELA__SAMPLE__NOTES__PASSWORD: 'hush-hush' }
    const { out } = await cli(['config', 'print'], { environment })
    expect(out).toMatch(/Http:Port +4711 +.*CHANCELA__SAMPLE__HTTP__PORT/)
    expect(out).toMatch(/Notes:Password +\(set\)/)
    const json = await cli(['config', 'print', '--json'], { environment })
    expect(JSON.parse(json.out).sample).toContainEqual(expect.objectContaining({ key: 'Http:Port', value: 4711 }))
    expect(out + json.out).not.toContain('hush-hush')
  })

  test('check answers with the exit code', async () => {
    expect((await cli(['config', 'check'])).code).toBe(0)
    const wrong = await cli(['config', 'check'], { environment: { CHANCELA__SAMPLE__HTTP__PORT: '-1' } })
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('CHANCELA__SAMPLE__HTTP__PORT')
  })

  test('reference lists every setting with its variable', async () => {
    expect((await cli(['config', 'reference', 'sample'])).out).toContain('Notes:Password')
  })
})

describe('chancela keys', () => {
  test('shows a key once, in the form its service takes, and keeps no trace of it', async () => {
    const data = temporaryFolder()
    const { out: key } = await cli(['keys', 'create', 'sample', '--application', 'tester', '--data', data])
    expect(key).toMatch(/^tester\|[0-9a-f]{64}$/)
    const listed = await cli(['keys', 'list', 'sample', '--data', data])
    expect(listed.out).toContain('tester')
    const secret = key.split('|')[1]!
    expect(listed.out).not.toContain(secret)
    const files = ['store.db', 'store.db-wal']
      .map((name) => join(data, 'sample', name))
      .filter((path) => existsSync(path))
    for (const path of files) expect(readFileSync(path).includes(secret)).toBe(false)
  })

  test('revokes, disables and enables', async () => {
    const data = temporaryFolder()
    const { out: key } = await cli(['keys', 'create', 'sample', '--application', 'tester', '--data', data])
    await cli(['keys', 'disable', 'sample', 'tester', '--data', data])
    expect((await startAndAsk(data, key)).answered).toBe(401)
    await cli(['keys', 'enable', 'sample', 'tester', '--data', data])
    expect((await startAndAsk(data, key)).answered).toBe(201)
    const id = /[0-9a-f-]{36}/.exec((await cli(['keys', 'list', 'sample', '--data', data])).out)![0]
    expect((await cli(['keys', 'revoke', 'sample', id, '--data', data])).code).toBe(0)
    expect((await startAndAsk(data, key)).answered).toBe(401)
  })

  test('refuses what it does not know with one sentence', async () => {
    const data = temporaryFolder()
    const unknownKey = await cli(['keys', 'revoke', 'sample', 'none', '--data', data])
    const unknownApplication = await cli(['keys', 'disable', 'sample', 'nobody', '--data', data])
    const noTime = await cli(['keys', 'create', 'sample', '--application', 'a', '--expires', 'soon', '--data', data])
    for (const { code, err } of [unknownKey, unknownApplication, noTime]) {
      expect(code).toBe(1)
      expect(err.split('\n')).toHaveLength(1)
    }
  })
})

describe('chancela secrets rotate', () => {
  test('puts everything under a new key and drops the old one; what was sealed still opens', async () => {
    const data = temporaryFolder()
    const { out: key } = await cli(['keys', 'create', 'sample', '--application', 'tester', '--data', data])
    const { id } = await startAndAsk(data, key)
    const keyFile = join(data, 'sample', 'master.key')
    const before = readFileSync(keyFile, 'utf8')
    expect((await cli(['secrets', 'rotate', 'sample', '--data', data])).code).toBe(0)
    const after = readFileSync(keyFile, 'utf8')
    expect(after).not.toContain(before.trim())
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect((await startAndAsk(data, key, id)).note).toBe('remember')
  })
})

describe('a master key that is missing', () => {
  test('stops the start with one sentence, until it is back or given up', async () => {
    const data = temporaryFolder()
    const { out: key } = await cli(['keys', 'create', 'sample', '--application', 'tester', '--data', data])
    const { id } = await startAndAsk(data, key)
    const keyFile = join(data, 'sample', 'master.key')
    const kept = readFileSync(keyFile)
    rmSync(keyFile)
    for (const command of [
      ['start', 'sample'],
      ['secrets', 'rotate', 'sample'],
    ]) {
      const { code, err } = await cli([...command, '--data', data])
      expect([code, err.split('\n').length]).toEqual([1, 1])
      expect(err).toContain(keyFile)
    }
    expect(existsSync(keyFile)).toBe(false)
    writeFileSync(keyFile, kept, { mode: 0o600 })
    expect((await startAndAsk(data, key, id)).note).toBe('remember')

    rmSync(keyFile)
    const { err } = await cli(['start', 'sample', '--data', data])
    const keyId = /forget sample ([0-9a-f]{8})/.exec(err)![1]!
    expect((await cli(['secrets', 'forget', 'sample', '00000000', '--data', data])).code).toBe(1)
    expect((await cli(['secrets', 'forget', 'sample', keyId, '--data', data])).code).toBe(0)
    expect((await startAndAsk(data, key)).answered).toBe(201)
    expect((await cli(['secrets', 'rotate', 'sample', '--data', data])).code).toBe(0)
    expect((await startAndAsk(data, key)).answered).toBe(201)
    expect((await cli(['secrets', 'forget', 'sample', keyId, '--data', data])).code).toBe(1)
  })
})

describe('chancela completion', () => {
  test('offers the commands and their options in a real bash', async () => {
    const { out: script } = await cli(['completion', 'bash'])
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _chancela; echo "\${COMPREPLY[*]}"`,
        ],
        { encoding: 'utf8' },
      ).trim()
    expect(complete('chancela', '')).toContain('start migrate config keys')
    expect(complete('chancela', 'config', 'pr')).toBe('print')
    expect(complete('chancela', 'keys', 'create', '--app')).toBe('--application')
  })

  test.each(['zsh', 'fish'])('knows every command in %s too', async (shell) => {
    const { out } = await cli(['completion', shell])
    for (const word of ['start', 'migrate', 'config', 'keys', 'secrets', 'completion']) expect(out).toContain(word)
  })
})

describe('the command line', () => {
  test('helps, and answers an unknown command with an error and the help', async () => {
    const help = await cli(['--help'])
    expect(help.code).toBe(0)
    expect(help.out).toContain('Usage: chancela')
    const unknown = await cli(['sing'])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain("unknown command 'sing'")
  })

  test('has a base URL of its own for every row of the catalogue', () => {
    expect(new Set(catalogue.map((entry) => entry.port)).size).toBe(catalogue.length)
  })
})

/** Runs one command line over the sample service. */
async function cli(args: readonly string[], changes: Partial<CommandContext> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(args, {
    services: [sampleService],
    environment: {},
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    ...changes,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Starts the sample service by the command line, writes or reads a note, and stops it as Ctrl+C would. */
async function startAndAsk(data: string, key: string, note?: string) {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let baseUrl: (url: string) => void = () => {}
  const listening = new Promise<string>((resolve) => {
    baseUrl = resolve
  })
  const environment = { CHANCELA__SAMPLE__LOG__LEVEL: 'silent' }
  const log = (text: string) => {
    const url = /http:\S+/.exec(text)?.[0]
    if (url !== undefined) baseUrl(url)
  }
  const running = cli(['start', '--data', data], { environment, log, untilStopped: () => stopped })
  const url = `${await listening}/api/notes`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'remember' })
  const response = note
    ? await fetch(`${url}/${note}`, { headers })
    : await fetch(url, { method: 'POST', headers, body })
  const answer = (await response.json()) as { id: string; text: string }
  stop()
  return { answered: response.status, id: answer.id, note: answer.text, code: (await running).code }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
