import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cachedKeys, type IssuedCertificate, startDemoPki } from '@chancela/testkit/demo-pki'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../index.ts'

const PIN = '1234'
const [SESSION, USER, ID] = [4 | 2, 1, '01']
const modules = ['/usr/lib/softhsm/libsofthsm2.so', `/usr/lib/${process.arch}-linux-gnu/softhsm/libsofthsm2.so`]

test('chancela sign uses a key on a token; a wrong PIN or module is one sentence', async () => {
  const demo = await startDemoPki({ keys: cachedKeys() })
  onTestFinished(demo.stop)
  const folder = temporaryFolder()
  const maria = await demo.pki.issuePerson({ name: 'MARIA NO CARTAO', cpf: '52998224725' })
  const module = await softToken(folder, maria, PIN)
  const [notes, roots] = [join(folder, 'notes.txt'), join(folder, 'roots.pem')]
  writeFileSync(notes, 'minutes of the meeting')
  writeFileSync(roots, demo.pki.trustAnchors())
  const signWith = (...options: string[]) => cli(['sign', notes, '--pkcs11', ...options])
  for (const failure of [
    await signWith(module, '--password', '9999'),
    await signWith('/no/such.so', '--password', PIN),
  ])
    expect([failure.code, failure.err.split('\n').length]).toEqual([1, 1])
  const signed = await signWith(module, '--token', 'cofre', '--certificate', 'maria', '--password', PIN)
  expect(signed).toMatchObject({ code: 0, err: '' })
  const verified = await cli(['verify', signed.out, '--json', '--trust', roots, '--data', folder])
  expect(JSON.parse(verified.out)[0]).toMatchObject({
    indication: 'valid',
    signatures: [{ signer: { name: 'MARIA NO CARTAO' } }],
  })
})

async function cli(args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCli(args, {
    environment: {},
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    askSecret: async () => undefined,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** The part of the engine's PKCS#11 binding that is used here. */
interface Cryptoki {
  load(module: string): void
  C_Initialize(): void
  C_GetSlotList(present: boolean): Buffer[]
  C_OpenSession(slot: Buffer, flags: number): Buffer
  C_Login(session: Buffer, user: number, pin: string): void
  C_CreateObject(session: Buffer, template: { type: number; value: number | boolean | string | Buffer }[]): Buffer
  C_Finalize(): void
  close(): void
}

/** A software token with one key and its certificate; returns the path of its module. */
async function softToken(folder: string, holder: IssuedCertificate, pin: string): Promise<string> {
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
  // The module reads it when it is loaded.
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  const module = modules.find((path) => existsSync(path))!
  const key = join(folder, 'token-key.pem')
  writeFileSync(key, holder.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await softhsm('--init-token', '--free', '--label', 'cofre', '--so-pin', '87654321', '--pin', pin)
  await softhsm('--import', key, '--token', 'cofre', '--label', 'maria', '--id', ID, '--pin', pin)
  storeCertificate(module, holder, pin)
  return module
}

async function softhsm(...args: string[]): Promise<void> {
  const { ok, text } = await runTool('softhsm2-util', args)
  if (!ok) throw new Error(text)
}

function storeCertificate(module: string, { der, label }: IssuedCertificate, pin: string): void {
  const engine = createRequire(new URL('../../../../packages/signature-engine/package.json', import.meta.url))
  const { PKCS11 } = engine('pkcs11js') as { PKCS11: new () => Cryptoki }
  const cryptoki = new PKCS11()
  cryptoki.load(module)
  cryptoki.C_Initialize()
  const session = cryptoki.C_OpenSession(cryptoki.C_GetSlotList(true)[0]!, SESSION)
  cryptoki.C_Login(session, USER, pin)
  // CKA_CLASS, _TOKEN, _CERTIFICATE_TYPE, _LABEL, _ID, _SUBJECT, _VALUE
  cryptoki.C_CreateObject(session, [
    { type: 0x000, value: 1 },
    { type: 0x001, value: true },
    { type: 0x080, value: 0 },
    { type: 0x003, value: label },
    { type: 0x102, value: Buffer.from(ID, 'hex') },
    { type: 0x101, value: Buffer.from(label) },
    { type: 0x011, value: Buffer.from(der) },
  ])
  cryptoki.C_Finalize()
  cryptoki.close()
}
