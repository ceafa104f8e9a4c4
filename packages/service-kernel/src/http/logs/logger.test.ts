import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compile, program } from '@chancela/testkit/programs'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { flushLogs } from './log-buffer.ts'
import { createLogger } from './logger.ts'
import { isSensitive } from './sensitive-names.ts'

function lineOf(fields: object): Record<string, unknown> {
  const lines: string[] = []
  createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } }).info(fields, 'said')
  return JSON.parse(lines[0]!)
}

describe('the logger', () => {
  test('writes the service, the level by name and the time as ISO 8601', () => {
    const before = Date.now()
    const { time, ...line } = lineOf({ jobId: 'j1' })
    expect(line).toEqual({ level: 'info', service: 'test', jobId: 'j1', msg: 'said' })
    expect(Date.parse(time as string)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(time as string)).toBeLessThanOrEqual(Date.now())
  })

  test('masks fields whose names say that they are secrets, however deep', () => {
    const { level, time, service, msg, ...line } = lineOf({
      pin: '1234',
      user: { password: 'x', name: 'ana', keys: [{ apiKey: 'x', keyId: 'k1' }] },
      headers: { Authorization: 'Bearer x', 'x-api-key': 'x', cookie: 'x' },
      cpf: '52998224725',
      code: 'job.gone',
    })
    expect(line).toEqual({
      pin: '***',
      user: { password: '***', name: 'ana', keys: [{ apiKey: '***', keyId: 'k1' }] },
      headers: { Authorization: '***', 'x-api-key': '***', cookie: '***' },
      cpf: '***',
      code: 'job.gone',
    })
  })

  test('shortens mail addresses, whatever the field, also in what an error says', () => {
    const refused = new Error('550 <maria.souza@mail.example.com>: no such user', {
      cause: new Error('RCPT TO:<MARIA.SOUZA@mail.example.com>'),
    })
    const err = Object.assign(refused, { rejected: ['maria.souza@mail.example.com'], code: 'EENVELOPE' })
    const line = lineOf({ to: 'maria.souza@mail.example.com', about: [{ text: 'ça+va@açaí.example and b@c' }], err })
    expect(line).toMatchObject({
      to: 'm***@mail.example.com',
      about: [{ text: 'ç***@açaí.example and b***@c' }],
      err: { code: 'EENVELOPE', rejected: ['m***@mail.example.com'] },
    })
    expect(JSON.stringify(line)).not.toMatch(/souza/i)
  })

  test('hides CPFs, whatever the field, also in what an error says, and no other numbers', () => {
    const err = new Error('Key (cpf)=(52998224725) already exists.')
    const plain = { id: '0c52998224725', number: 52998224726, text: '52998224726 1752998224725 11111111111' }
    const line = lineOf({ token: 1, reason: 'no token CARD 529.982.247-25.', who: 'CN=ANA:52998224725', ...plain, err })
    expect(line).toMatchObject({ reason: 'no token CARD ***.', who: 'CN=ANA:***', ...plain })
    expect(JSON.stringify(line.err)).not.toContain('52998224725')
  })

  test('leaves what is no mail address, such as the names of packages in a stack', () => {
    const plain = { at: 'node_modules/@cantoo/pdf-lib/x.js', handle: '@ana', text: 'a @ b', url: 'https://example.com' }
    expect(lineOf(plain)).toMatchObject(plain)
  })

  test('tells an error with its cause', () => {
    const { err } = lineOf({ err: new Error('outer', { cause: new Error('inner') }) }) as {
      err: { message: string; stack: string }
    }
    expect(err.message).toContain('outer')
    expect(err.stack).toContain('inner')
  })

  test('writes to a file what was logged just before the process ends', async () => {
    const file = join(temporaryFolder(), 'deep', 'service.log')
    const talker = program(
      import.meta.url,
      `import { flushLogs } from './log-buffer.ts'
import { createLogger } from './logger.ts'
       const logger = createLogger({ service: 'child', file: process.env.LOG_FILE })
       for (let line = 0; line < 500; line += 1) logger.info({ line }, 'ação')
       setTimeout(() => process.exit(0), 50)`,
    )
    await once(await talker({ LOG_FILE: file }), 'exit')
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(500)
    expect(lines[499]).toMatchObject({ line: 499, msg: 'ação' })
  })
})

// /dev/full stands in for the disk: every write to it fails as on a full disk.
test.each(['standard error elsewhere', 'standard error on the same disk'])(
  'a full disk loses lines of the log and nothing else, with %s: the service goes on, and ends when it is told to',
  async (place) => {
    const talker = await compile(
      import.meta.url,
      `import { createLogger } from './logger.ts'
       const logger = createLogger({ service: 'child', file: '/dev/full', bufferCharacters: 0 })
       logger.info('lost')
       setTimeout(() => {
         logger.info('lost, too')
         console.log('goes on')
         process.exit(7)
       }, 100)`,
    )
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = spawn(process.execPath, [talker], {
      stdio: ['ignore', 'pipe', place === 'standard error elsewhere' ? 'pipe' : full],
    })
    const told = child.stderr ? text(child.stderr) : Promise.resolve('')
    const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
    expect([said, code]).toEqual(['goes on\n', 7])
    expect(await told).toBe(child.stderr ? 'Lines of the log are lost: ENOSPC: no space left on device, write.\n' : '')
  },
)

test('what was logged is in the file when logs are flushed, a write under way included', () => {
  const file = join(temporaryFolder(), 'service.log')
  const logger = createLogger({ service: 'test', file, bufferCharacters: 0 })
  for (let line = 1; line <= 200; line++) {
    logger.info({ line })
    flushLogs()
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(line + 1)
  }
})

test('a new log file is its owner’s alone, whatever the umask', () => {
  const file = join(temporaryFolder(), 'logs', 'service.log')
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  createLogger({ service: 'test', file })
  const modes = [file, dirname(file)].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o600, 0o700])
})

test('a log file that cannot be opened stops the start in one sentence', () => {
  expect(() => createLogger({ service: 'test', file: '/dev/null/service.log' })).toThrow(
    expect.objectContaining({ name: 'StartupProblem', message: expect.stringContaining('/dev/null/service.log') }),
  )
})

describe('sensitive names', () => {
  test.each([
    'pin',
    'userPin',
    'X-Api-Key',
    'apikey',
    'password',
    'sessionId',
    'signatureToken',
    'client_secret',
    'code',
    'CPF',
    'Cookie',
  ])('%s is one', (name) => expect(isSensitive(name)).toBe(true))
  test.each(['page', 'shipping', 'option', 'jobId', 'name', 'format', 'keyboard', 'encoding', 'status'])(
    '%s is none',
    (name) => expect(isSensitive(name)).toBe(false),
  )
})
