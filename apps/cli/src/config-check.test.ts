import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { batchSigner } from '@chancela/batch-signer'
import { describe, expect, test } from 'vitest'
import { filesBelow, temporaryFolder } from '../test/operator-cli.ts'
import { runCli } from './index.ts'

async function cli(args: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(args, {
    services: [batchSigner],
    environment: {},
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    untilStopped: async () => {},
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const FREE = { Host: '127.0.0.1', Port: 0 }

/** Settings of a batch signer in a folder of their own. */
function settingsWith(changes: Readonly<Record<string, unknown>>) {
  const data = temporaryFolder()
  const config = join(data, 'chancela.json')
  mkdirSync(join(data, 'in'))
  const usual = {
    Http: FREE,
    Compact: FREE,
    Auth: { ApiKey: 'a key of sixteen letters and more' },
    Storage: { Root: 'storage', Inputs: [{ Name: 'default', Path: 'in' }] },
    Log: { Level: 'silent' },
  }
  writeFileSync(config, JSON.stringify({ 'batch-signer': { ...usual, ...changes } }))
  const options = ['--config', config, '--data', data]
  return {
    data,
    check: () => cli(['config', 'check', 'batch-signer', ...options]),
    start: () => cli(['start', 'batch-signer', ...options]),
  }
}

/** A profile whose files somebody must approve. */
const approvedBy = (rule: Readonly<Record<string, unknown>>) => {
  const Approvers = [{ Name: 'Ana Souza', Email: 'ana@banco.example', Cpf: '529.982.247-25' }]
  const Approval = { MinimumApprovers: 1, Approvers, ...rule }
  return { Signing: { Profiles: [{ Name: 'p', Format: 'Cades', Pkcs12File: 'p.p12', Approval }] } }
}

const wrong: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a certificate that is not there': {
    Compact: { ...FREE, Tls: { CertificateFile: 'absent.pem', KeyFile: 'absent.pem' } },
  },
  'a profile against the rules': { Signing: { Profiles: [{ Name: 'quebrado' }] } },
  'a profile for a folder that nobody watches': {
    Signing: { Profiles: [{ Name: 'p', Format: 'Cades', InputFolder: 'elsewhere' }] },
  },
  'a file of encryption certificates that is not there': {
    Signing: { Profiles: [{ Name: 'default', EncryptionCertificateFiles: ['absent.pem'] }] },
  },
  'recipients of the host that are not there': { Encryption: { CertificateFiles: ['absent.pem'] } },
  'trust anchors that are not there': { Signing: { TrustAnchorsFile: 'absent.pem' } },
  'a header that no header can be called': {
    Auth: { ApiKey: 'a key of sixteen letters and more', ApiKeyHeader: 'a b' },
  },
  'more approvers needed than there are': approvedBy({ MinimumApprovers: 2 }),
  'a wait that some would read as days': approvedBy({ ExpiresAfter: '48:00:00' }),
  'approvers who sign and cannot come in': approvedBy({ Signers: 'ProfileKeyAndApprovers' }),
  'a portal of approvers without a secret for its links': { ApproverPortal: { Enabled: true } },
  'a logo of no kind of picture': { Branding: { CustomerLogo: 'logo.exe' } },
}

describe('chancela config check', () => {
  for (const [what, changes] of Object.entries(wrong))
    test(`finds ${what}, in the words with which the start refuses it`, async () => {
      const { check, start } = settingsWith(changes)
      const checked = await check()
      expect(checked).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^ *batch-signer \w+:\w+/m) })
      expect(await start()).toEqual(checked)
    })

  test('names all of it at once', async () => {
    const { err } = await settingsWith({
      Signing: { Profiles: [{ Name: 'quebrado' }] },
      Branding: { CustomerLogo: 'logo.exe' },
    }).check()
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^batch-signer Signing:Profiles: quebrado: /),
      expect.stringMatching(/^batch-signer Branding:CustomerLogo: /),
    ])
  })

  test('makes no file, and judges the profiles of the file only until the store has profiles', async () => {
    const { data, check, start } = settingsWith({})
    expect(await check()).toMatchObject({ code: 0 })
    expect(filesBelow(data).map((file) => file.slice(data.length + 1))).toEqual(['chancela.json'])
    const started = await start()
    expect([started.code, started.err]).toEqual([0, expect.stringMatching(/^Chancela \d+\.\d+\.\d+\+node-\d/)])
    const file = join(data, 'chancela.json')
    const { 'batch-signer': settings } = JSON.parse(readFileSync(file, 'utf8'))
    const broken = { ...settings, Signing: { Profiles: [{ Name: 'quebrado' }] } }
    writeFileSync(file, JSON.stringify({ 'batch-signer': broken }))
    expect((await check()).code).toBe(0)
    expect((await start()).code).toBe(0)
  })
})
