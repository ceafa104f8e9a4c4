import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { runTool } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pkcs12Signer } from './keys/index.ts'
import { tablePdf } from './pdf/test-support/sample-pdfs.ts'
import { trustedListXml } from './trusted-lists/test-support/trusted-list-xml.ts'
import { Certificate } from './x509/certificate.ts'
import { signXades } from './xades/sign-xades.ts'

const folder = mkdtempSync(join(tmpdir(), 'chancela-examples-'))
const examples = new URL('../examples/', import.meta.url)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const names = readdirSync(examples).filter((name) => name.endsWith('.ts'))

/** In the order of the README: later examples use the output of earlier ones. */
const order = [...readme.matchAll(/^```ts\n\/\/ examples\/(\S+)\n/gm)].map(([, name]) => name!)

describe('the examples of the README', () => {
  let output = ''

  // All in one process: starting one from source is most of the work. That it exits shows that nothing keeps it alive.
  beforeAll(async () => {
    const demo = await startDemoPki({ keys: cachedKeys() })
    const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
    writeFileSync(join(folder, 'maria.p12'), demo.pki.pkcs12(maria, { password: 'segredo' }))
    writeFileSync(join(folder, 'maria.pem'), maria.x509.toString())
    writeFileSync(join(folder, 'roots.pem'), demo.pki.trustAnchors())
    writeFileSync(join(folder, 'contract.pdf'), tablePdf())
    const certificates = [Certificate.read(demo.pki.certificate('root').der)]
    const statuses = [{ status: 'granted', from: '2020-01-01T00:00:00Z', certificates }] as const
    const list = trustedListXml({ services: [{ name: 'Demo', statuses }], nextUpdate: null })
    const operator = await pkcs12Signer(readFileSync(join(folder, 'maria.p12')), 'segredo')
    writeFileSync(join(folder, 'trusted-list.xml'), await signXades(list, operator, { now: new Date() }))
    writeFileSync(join(folder, 'operator.pem'), maria.x509.toString())
    writeFileSync(join(folder, 'invoice.xml'), '<invoice><item Id="item-1">10.00</item></invoice>')
    writeFileSync(join(folder, 'video.mp4'), Buffer.alloc(3_000_000, 'frame'))
    const runnable = order.filter((name) => name !== 'key-elsewhere-service.ts')
    const main = runnable.map((name) => `await import(${JSON.stringify(new URL(name, examples).href)})`).join('\n')
    const node = [
      '--conditions=chancela-source',
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '--eval',
      main,
    ]
    const env = { ...process.env, TSA_URL: `${demo.baseUrl}/tsa` }
    try {
      output = (await promisify(execFile)(process.execPath, node, { cwd: folder, env })).stdout
    } finally {
      await demo.stop()
    }
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('are the files of the folder, word by word', () => {
    expect([...order].sort()).toEqual([...names].sort())
    for (const name of names) {
      const code = readFileSync(new URL(name, examples), 'utf8')
      expect(readme).toContain(`\`\`\`ts\n// examples/${name}\n${code}\`\`\`\n`)
    }
  })

  test('say who signed', () => {
    expect(output).toContain('✔ Valid signature')
    expect(output).toContain('PAdES indeterminate')
    expect(output).toContain('XX 7 ✔ Valid signature')
    expect(output).toContain('MARIA DA SILVA')
    expect(output).toContain("[ '52998224725' ]")
    expect(output).toContain('pkcs12.wrong-password')
  })

  test.each([
    'contract.signed.pdf',
    'contract.visible.pdf',
    'contract.template.pdf',
    'contract.closed.pdf',
    'contract.remote.pdf',
    'contract.archive.pdf',
    'contract.renewed.pdf',
  ])('make %s, which another reader accepts', async (name) => {
    expect((await runTool('pdfsig', ['-nocert', join(folder, name)])).text).toContain('Signature is Valid')
  })

  test('make an XML signature, an attached signature, a container and an envelope that come back whole', async () => {
    expect(readFileSync(join(folder, 'invoice.signed.xml'), 'utf8')).toContain('SignaturePolicyIdentifier')
    const cms = ['cms', '-verify', '-binary', '-noverify', '-inform', 'DER', '-in', join(folder, 'video.mp4.p7m')]
    expect((await runTool('openssl', cms)).stdout.equals(readFileSync(join(folder, 'video.mp4')))).toBe(true)
    expect((await runTool('unzip', ['-tqq', join(folder, 'deal.asice')])).ok).toBe(true)
    expect(readFileSync(join(folder, 'order.jws'), 'utf8')).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(readFileSync(join(folder, 'contract.again.pdf')).equals(readFileSync(join(folder, 'contract.pdf')))).toBe(
      true,
    )
  })
})
