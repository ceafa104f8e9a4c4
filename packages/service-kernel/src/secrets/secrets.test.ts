import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, webcrypto } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StartupProblem } from '../errors/index.ts'
import { openSecrets, retireOldKeys, rotateMasterKey, SecretProblem, type Secrets, sameSecret } from './index.ts'

const service = 'batch-signer'
const CONTEXT = 'profile/42/pkcs12-password'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'chancela-secrets-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const keyFile = () => ({ service, masterKeyFile: join(folder(), 'keys', 'master.key') })
const keyText = () => randomBytes(32).toString('base64')
const underKeys = (...keys: string[]): Secrets => openSecrets({ service, masterKeyFile: '', masterKey: keys.join(',') })

function codeOf(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof SecretProblem) return error.code
    throw error
  }
  return 'opened'
}

function startupProblemOf(start: () => unknown): StartupProblem {
  try {
    start()
  } catch (error) {
    if (error instanceof StartupProblem) return error
    throw error
  }
  throw new Error('started')
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a sealed value', () => {
  test('opens to what was sealed, whatever the bytes, and is never sealed to the same text twice', () => {
    const secrets = underKeys(keyText())
    const bytes = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(bytes, fc.string({ minLength: 1 }), (plain, context) => {
        const sealed = secrets.seal(plain, context)
        expect(secrets.open(sealed, context).equals(plain)).toBe(true)
        expect(secrets.seal(plain, context)).not.toBe(sealed)
      }),
    )
    expect(secrets.openText(secrets.seal('sêgredo 🔑', CONTEXT), CONTEXT)).toBe('sêgredo 🔑')
  })

  test('is AES-256-GCM in the documented layout: another implementation opens it', async () => {
    const key = randomBytes(32)
    const sealed = underKeys(key.toString('base64')).seal('hunter2', CONTEXT)
    const [version, keyId, nonce, ciphertext] = sealed.split('.') as [string, string, string, string]
    expect([version, keyId]).toStrictEqual(['v1', createHash('sha256').update(key).digest('hex').slice(0, 8)])
    const imported = await webcrypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const additionalData = Buffer.from(`v1.${keyId}.${CONTEXT}`)
    const parameters = { name: 'AES-GCM', iv: Buffer.from(nonce, 'base64url'), additionalData, tagLength: 128 }
    const plain = await webcrypto.subtle.decrypt(parameters, imported, Buffer.from(ciphertext, 'base64url'))
    expect(Buffer.from(plain).toString()).toBe('hunter2')
    expect(sealed).not.toContain('hunter2')
  })

  test('does not open in another place', () => {
    const secrets = underKeys(keyText())
    const sealed = secrets.seal('hunter2', CONTEXT)
    expect(codeOf(() => secrets.open(sealed, 'profile/43/pkcs12-password'))).toBe('secrets.not-authentic')
  })

  test('does not open once any character of it changed', () => {
    const secrets = underKeys(keyText())
    const sealed = secrets.seal('hunter2', CONTEXT)
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(codeOf(() => secrets.open(changed, CONTEXT))).toMatch(/^secrets\./)
    }
  })

  test('has one text only: no other last character opens, whatever its length', () => {
    const secrets = underKeys(keyText())
    for (const plain of ['', 'a', 'ab', 'abc']) {
      const sealed = secrets.seal(plain, CONTEXT)
      const others = [...BASE64URL].filter((character) => character !== sealed.at(-1))
      const opened = others.filter(
        (last) => codeOf(() => secrets.open(sealed.slice(0, -1) + last, CONTEXT)) === 'opened',
      )
      expect(opened).toEqual([])
    }
  })

  test('under a key that is not at hand says so, and which', () => {
    const sealed = underKeys(keyText()).seal('hunter2', CONTEXT)
    const other = underKeys(keyText())
    expect(codeOf(() => other.open(sealed, CONTEXT))).toBe('secrets.unknown-key')
    expect(() => other.open(sealed, CONTEXT)).toThrow(expect.objectContaining({ keyId: sealed.split('.')[1] }))
  })

  test.each([
    ['', 'secrets.malformed'],
    ['hunter2', 'secrets.malformed'],
    ['v1.0a1b2c3d.AAAA.AAAA', 'secrets.malformed'],
    [`v2.0a1b2c3d.${'A'.repeat(16)}.${'A'.repeat(22)}`, 'secrets.unknown-version'],
  ])('is told from other text: %j', (text, code) => {
    expect(codeOf(() => underKeys(keyText()).open(text, CONTEXT))).toBe(code)
  })

  test('needs a place to belong to', () => {
    expect(() => underKeys(keyText()).seal('x', '')).toThrow(/context/)
  })
})

describe('the key ring', () => {
  test('seals under the newest key and opens under all of them', () => {
    const [older, newer] = [keyText(), keyText()]
    const before = underKeys(older).seal('hunter2', CONTEXT)
    const ring = underKeys(older, newer)
    expect(ring.openText(before, CONTEXT)).toBe('hunter2')
    const after = ring.reseal(before, CONTEXT)
    expect(underKeys(newer).openText(after, CONTEXT)).toBe('hunter2')
    expect(ring.reseal(after, CONTEXT)).toBe(after)
    expect(after.split('.')[1]).toBe(ring.newestKeyId())
  })

  test.each(['', 'not a key', randomBytes(31).toString('base64'), `${keyText()};${keyText()}`])(
    'is refused with the name of its setting when it is not made of keys: %j',
    (masterKey) => {
      const problem = startupProblemOf(() => openSecrets({ service, masterKeyFile: '', masterKey }))
      expect(problem.setting).toBe('batch-signer Secrets:MasterKey')
      if (masterKey) expect(problem.message).not.toContain(masterKey)
    },
  )
})

function replaceByFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

function replaceByPipe(path: string): void {
  rmSync(path)
  execFileSync('/usr/bin/mkfifo', ['-m', '600', path])
}

/** Only root can change a file's owner; everybody else has one of root's available. */
function fileOfAnotherUser(): string {
  if (process.getuid!() !== 0) return '/etc/passwd'
  const file = keyFile()
  openSecrets(file)
  chownSync(file.masterKeyFile, 65_534, 65_534)
  return file.masterKeyFile
}

describe('the master key file', () => {
  test('is made on the first start, for its owner only, and found again', () => {
    const file = keyFile()
    const sealed = openSecrets(file).seal('hunter2', CONTEXT)
    expect(statSync(file.masterKeyFile).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(file.masterKeyFile, 'utf8'), 'base64')).toHaveLength(32)
    expect(readdirSync(join(file.masterKeyFile, '..'))).toStrictEqual(['master.key'])
    expect(openSecrets(file).openText(sealed, CONTEXT)).toBe('hunter2')
  })

  test.each([
    ['others may read it', (path: string) => chmodSync(path, 0o640), /0640.*0600/],
    ['it is empty', (path: string) => writeFileSync(path, ''), /32-byte keys/],
    ['it holds something else', (path: string) => writeFileSync(path, 'hunter2'), /32-byte keys/],
    ['it is a folder', replaceByFolder, /regular file/],
    ['it is a pipe', replaceByPipe, /regular file/],
  ])('is refused, and left as it is, when %s', (_, spoil, sentence) => {
    const file = keyFile()
    openSecrets(file)
    spoil(file.masterKeyFile)
    const problem = startupProblemOf(() => openSecrets(file))
    expect(problem.setting).toBe('batch-signer Secrets:MasterKeyFile')
    expect(problem.message).toMatch(sentence)
    expect(problem.message).not.toContain('hunter2')
    expect(existsSync(file.masterKeyFile)).toBe(true)
  })

  test('that belongs to another user is refused', () => {
    const problem = startupProblemOf(() => openSecrets({ service, masterKeyFile: fileOfAnotherUser() }))
    expect(problem.setting).toBe('batch-signer Secrets:MasterKeyFile')
    expect(problem.message).toMatch(/belongs to another user/)
  })

  test('that cannot be made stops the start with its setting', () => {
    const blocker = join(folder(), 'file')
    writeFileSync(blocker, '')
    const problem = startupProblemOf(() => openSecrets({ service, masterKeyFile: join(blocker, 'master.key') }))
    expect(problem.setting).toBe('batch-signer Secrets:MasterKeyFile')
  })
})

describe('rotation of the master key', () => {
  test('keeps the old key, and a running service seals under the new one at once', () => {
    const file = keyFile()
    const running = openSecrets(file)
    const before = running.seal('hunter2', CONTEXT)
    const change = rotateMasterKey(file)
    expect(change.others).toStrictEqual([before.split('.')[1]])
    expect(running.newestKeyId()).toBe(change.newest)
    expect(running.seal('x', CONTEXT).split('.')[1]).toBe(change.newest)
    for (const secrets of [running, openSecrets(file)]) expect(secrets.openText(before, CONTEXT)).toBe('hunter2')
    expect(statSync(file.masterKeyFile).mode & 0o777).toBe(0o600)
  })

  test('retires an old key only when nothing is sealed under it any more', () => {
    const file = keyFile()
    const secrets = openSecrets(file)
    const before = secrets.seal('hunter2', CONTEXT)
    const { newest, others } = rotateMasterKey(file)
    expect(startupProblemOf(() => retireOldKeys(file, new Set([...others, newest]))).message).toContain(others[0])
    expect(secrets.openText(before, CONTEXT)).toBe('hunter2')
    const after = secrets.reseal(before, CONTEXT)
    expect(retireOldKeys(file, new Set([newest]))).toStrictEqual({ newest, others: [] })
    expect(openSecrets(file).openText(after, CONTEXT)).toBe('hunter2')
    expect(codeOf(() => secrets.open(before, CONTEXT))).toBe('secrets.unknown-key')
  })

  test('that was interrupted leaves everything opening, and the next one says what to do', () => {
    const file = keyFile()
    const secrets = openSecrets(file)
    const before = secrets.seal('hunter2', CONTEXT)
    writeFileSync(`${file.masterKeyFile}.new`, keyText(), { mode: 0o600 })
    const problem = startupProblemOf(() => rotateMasterKey(file))
    expect(problem.message).toContain(`remove ${file.masterKeyFile}.new`)
    expect(openSecrets(file).openText(before, CONTEXT)).toBe('hunter2')
    rmSync(`${file.masterKeyFile}.new`)
    expect(rotateMasterKey(file).others).toHaveLength(1)
    expect(openSecrets(file).openText(before, CONTEXT)).toBe('hunter2')
  })

  test('needs a file, and leaves nothing behind without one', () => {
    const file = { service, masterKeyFile: join(folder(), 'master.key') }
    expect(startupProblemOf(() => rotateMasterKey(file)).message).toMatch(/does not exist/)
    expect(readdirSync(join(file.masterKeyFile, '..'))).toStrictEqual([])
  })

  test('does not take the keys from a running service whose file is being edited', () => {
    const file = keyFile()
    const running = openSecrets(file)
    const sealed = running.seal('hunter2', CONTEXT)
    writeFileSync(file.masterKeyFile, 'half an edit')
    expect(running.openText(sealed, CONTEXT)).toBe('hunter2')
    rmSync(file.masterKeyFile)
    expect(running.openText(sealed, CONTEXT)).toBe('hunter2')
  })
})

test('secrets are the same exactly when their bytes are', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => sameSecret(a, b) === (a === b)))
  expect(sameSecret('ação', Buffer.from('ação'))).toBe(true)
})
