// The command line as a shell has it: processes, pipes, terminals and signals.
import { createReadStream, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { makePipe, peakMemory, runProcess, startCli } from './test-support/cli-process.ts'
import { writeLargePdf } from './test-support/large-pdf.ts'
import { plainPdf } from './test-support/plain-pdf.ts'

let demo: RunningDemoPki
let keys: string
let key: string[]
let trust: string[]

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' }, { key: 'P-256' })
  keys = temporaryFolder()
  writeFileSync(join(keys, 'maria.p12'), demo.pki.pkcs12(maria, { password: 'segredo' }))
  writeFileSync(join(keys, 'maria.pem'), maria.x509.toString())
  writeFileSync(join(keys, 'maria.key'), maria.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(keys, 'roots.pem'), demo.pki.trustAnchors())
  writeFileSync(join(keys, 'contract.pdf'), plainPdf())
  key = ['--pkcs12', join(keys, 'maria.p12'), '--password', 'segredo', '--data', join(keys, 'no-data')]
  trust = ['--trust', join(keys, 'roots.pem'), '--data', join(keys, 'no-data')]
})
afterAll(() => demo.stop())

const decryptionKey = () => ['--pkcs12', join(keys, 'maria.p12'), '--password', 'segredo']
const contract = () => join(keys, 'contract.pdf')

/** Waits for what a process does; vitest's own limit ends it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('standard input and output', () => {
  test('a PDF goes through a pipe, is signed and verified, and no byte is lost', async () => {
    const signed = await runProcess(['sign', '-', ...key], { input: plainPdf() })
    expect(signed).toMatchObject({ code: exitCodes.done, err: '' })
    const file = join(temporaryFolder(), 'signed.pdf')
    writeFileSync(file, signed.out)
    expect((await runTool('pdfsig', ['-nocert', file])).text).toContain('Signature is Valid')
    const standIn = ['--as', 'iti', '--stand-in', join(keys, 'roots.pem')]
    const verified = await runProcess(['verify', '-', '--json', ...trust, ...standIn], { input: signed.out })
    expect(verified.code).toBe(exitCodes.done)
    expect(JSON.parse(verified.out.toString())).toMatchObject([
      { file: '-', indication: 'valid', forecast: { outcome: 'aprovada' } },
    ])
  })

  test('a file goes through a pipe, is encrypted and decrypted, and no byte is lost', async () => {
    const sealed = await runProcess(['encrypt', '-', '--to', join(keys, 'maria.pem')], { input: plainPdf() })
    expect(sealed).toMatchObject({ code: exitCodes.done, err: '' })
    const envelope = join(temporaryFolder(), 'contract.enc')
    writeFileSync(envelope, sealed.out)
    const opened = await openssl([
      'cms',
      '-decrypt',
      '-inform',
      'DER',
      '-in',
      envelope,
      '-inkey',
      join(keys, 'maria.key'),
    ])
    expect(opened.stdout).toEqual(plainPdf())
    const decrypted = await runProcess(['decrypt', '-', ...decryptionKey()], { input: sealed.out })
    expect(decrypted).toMatchObject({ code: exitCodes.done, err: '' })
    expect(decrypted.out).toEqual(plainPdf())
  })

  test('nothing of a changed file is decrypted into a pipe', async () => {
    const { out: sealed } = await runProcess(['encrypt', '-', '--to', join(keys, 'maria.pem')], {
      input: Buffer.alloc(1_000_000, 'text'),
    })
    sealed[sealed.length - 100]! ^= 1
    const decrypted = await runProcess(['decrypt', '-', ...decryptionKey()], { input: sealed })
    expect(decrypted.code).toBe(exitCodes.failed)
    expect(decrypted.out).toHaveLength(0)
  })

  test.each([
    ['encrypt', () => ['--to', join(keys, 'maria.pem')]],
    ['decrypt', () => ['--pkcs12', join(keys, 'maria.p12')]],
    ['timestamp', () => ['--tsa', `${demo.baseUrl}/tsa`]],
  ] as const)('%s writes nothing to a terminal either', async (command, options) => {
    const refused = await runProcess([command, contract(), '--out', '-', ...options()], { terminal: true })
    expect(refused.code).toBe(exitCodes.usage)
    expect(refused.out.toString()).toContain('--out')
  })

  test('binary is not written to a terminal, and nothing is asked for before', async () => {
    const refused = await runProcess(['sign', contract(), '--out', '-', '--pkcs12', join(keys, 'maria.p12')], {
      terminal: true,
    })
    expect(refused.code).toBe(exitCodes.usage)
    expect(refused.out.toString()).toContain('--out')
  })

  test('standard input cannot be a terminal, and cannot be read twice', async () => {
    expect((await runProcess(['verify', '-', ...trust], { terminal: true })).code).toBe(exitCodes.failed)
    expect((await runProcess(['verify', '-', '-', ...trust])).code).toBe(exitCodes.usage)
  })

  test('a named pipe is waited for, and it is said', async () => {
    const pipe = join(temporaryFolder(), 'pipe.pdf')
    makePipe(pipe)
    const running = startCli(['sign', pipe, '--out', '-', ...key])
    await until(() => running.said().includes(pipe))
    await writeFile(pipe, plainPdf())
    const { code, out } = await running.ended
    expect(code).toBe(exitCodes.done)
    expect(out.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('a terminal', () => {
  const green = '\u001b[32m✔'
  const signedFile = async () => {
    const out = join(temporaryFolder(), 'signed.pdf')
    await runProcess(['sign', contract(), '--out', out, ...key])
    return out
  }

  test('shows verdicts in colour; a pipe, NO_COLOR and --color never do not', async () => {
    const verify = ['verify', await signedFile(), ...trust]
    expect((await runProcess(verify, { terminal: true })).out.toString()).toContain(green)
    expect((await runProcess(verify, { terminal: true, env: { NO_COLOR: '1' } })).out.toString()).not.toContain(green)
    expect((await runProcess([...verify, '--color', 'never'], { terminal: true })).out.toString()).not.toContain(green)
    expect((await runProcess(verify)).out.toString()).not.toContain(green)
    expect((await runProcess([...verify, '--color', 'always'])).out.toString()).toContain(green)
  })

  test('shows how far a folder is, at which rate and for how long; a pipe does not', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'in'))
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'in', `${name}.pdf`), plainPdf())
    const sign = ['sign', join(folder, 'in'), '--out', join(folder, 'out'), '--force', ...key]
    const shown = (await runProcess(sign, { terminal: true })).out.toString()
    expect(shown).toMatch(/100 % {2}[\d.]+ MB\/s {2}00:00 left/)
    expect((await runProcess(sign)).err).not.toContain('%')
  })
})

describe('a large file', () => {
  const LARGE = 192 * 1024 ** 2
  // Node and the engine take 90 MB of them; the file would not fit into the rest.
  const MOST = 200e6

  test('is signed, verified and forecast in the memory that a small one takes', async () => {
    const folder = temporaryFolder()
    const [large, signed, stamped] = ['large', 'signed', 'stamped'].map((name) => join(folder, `${name}.pdf`))
    writeLargePdf(large!, LARGE)
    const tsa = ['--tsa', `${demo.baseUrl}/tsa`]
    const standIn = ['--as', 'iti', '--stand-in', join(keys, 'roots.pem')]
    expect(await peakMemory(['sign', large!, '--out', signed!, ...key])).toBeLessThan(MOST)
    expect(await peakMemory(['verify', signed!, ...trust, ...standIn])).toBeLessThan(MOST)
    const extend = ['timestamp', signed!, '--level', 'B-LTA', '--out', stamped!]
    expect(await peakMemory([...extend, ...tsa, ...trust])).toBeLessThan(MOST)
  })

  test('is encrypted and decrypted in it, through pipes, too', async () => {
    const folder = temporaryFolder()
    const [large, sealed, opened] = ['large', 'sealed', 'opened'].map((name) => join(folder, name))
    writeLargePdf(large!, LARGE)
    const recipient = ['--to', join(keys, 'maria.pem')]
    expect(await peakMemory(['encrypt', large!, '--out', sealed!, ...recipient])).toBeLessThan(MOST)
    expect(await peakMemory(['decrypt', sealed!, '--out', opened!, ...decryptionKey()])).toBeLessThan(MOST)
    const piped = ['encrypt', '-', '--out', `${sealed}.piped`, ...recipient]
    expect(await peakMemory(piped, createReadStream(large!))).toBeLessThan(MOST)
  })
})

describe('a command that is ended', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves no unfinished file', async (signal, code) => {
    const folder = temporaryFolder()
    const large = join(folder, 'film.mp4')
    writeFileSync(large, '')
    truncateSync(large, 4 * 1024 ** 3)
    const running = startCli(['encrypt', large, '--to', join(keys, 'maria.pem')])
    await until(() => readdirSync(folder).some((name) => name.endsWith('.tmp')))
    running.process.kill(signal)
    expect((await running.ended).code).toBe(code)
    expect(readdirSync(folder)).toEqual(['film.mp4'])
  })

  test('while it decrypts a pipe leaves nothing of what was in it', async () => {
    const [folder, large] = [temporaryFolder(), Buffer.alloc(8_000_000, 'secret')]
    const { out: sealed } = await runProcess(['encrypt', '-', '--to', join(keys, 'maria.pem')], { input: large })
    const running = startCli(['decrypt', '-', '--out', join(folder, 'secret'), ...decryptionKey()])
    running.process.stdin!.write(sealed.subarray(0, 6_000_000))
    await until(() => readdirSync(folder).some((name) => statSync(join(folder, name)).size > 1_000_000))
    running.process.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  })

  test('because nobody reads its results any more ends as any command in a pipe', async () => {
    const folder = temporaryFolder()
    const outputs = ['a', 'b', 'c', 'd'].map((name) => join(folder, `${name}.pdf`))
    for (const file of outputs) writeFileSync(file, plainPdf())
    const running = startCli(['sign', folder, '--out', join(folder, 'out'), ...key])
    running.process.stdout!.destroy()
    const { code, err } = await running.ended
    expect(code).toBe(141)
    expect(err).not.toContain('EPIPE')
    expect(readdirSync(join(folder, 'out')).filter((name) => !name.endsWith('.pdf'))).toEqual([])
  })

  test('by a failure leaves none either', async () => {
    const folder = temporaryFolder()
    const changed = join(folder, 'secret.enc')
    await runProcess(['encrypt', contract(), '--to', join(keys, 'maria.pem'), '--out', changed])
    truncateSync(changed, 2_000)
    const { code } = await runProcess([
      'decrypt',
      changed,
      '--pkcs12',
      join(keys, 'maria.p12'),
      '--password',
      'segredo',
    ])
    expect(code).toBe(exitCodes.failed)
    expect(readdirSync(folder)).toEqual(['secret.enc'])
  })
})
