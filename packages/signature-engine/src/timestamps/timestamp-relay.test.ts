import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addresses, cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTimestampRelay } from './index.ts'

let pki: Awaited<ReturnType<typeof startDemoPki>>
beforeAll(async () => {
  pki = await startDemoPki({ keys: cachedKeys() })
})
afterAll(() => pki.stop())

const authority = () => ({ url: addresses(pki.baseUrl).timeStamps })

/** A request as openssl writes it. */
async function queryOf(...options: string[]): Promise<{ folder: string; query: Buffer }> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'data'), 'data')
  await runTool('openssl', ['ts', '-query', '-data', 'data', '-sha256', ...options, '-out', 'query'], { folder })
  return { folder, query: readFileSync(join(folder, 'query')) }
}

/** What openssl says of a reply: whether it answers the request, or how it reads. */
async function verified(folder: string, reply: Buffer): Promise<string> {
  writeFileSync(join(folder, 'reply'), reply)
  writeFileSync(join(folder, 'roots.pem'), pki.pki.trustAnchors())
  const given = ['ts', '-verify', '-queryfile', 'query', '-in', 'reply', '-CAfile', 'roots.pem']
  return (await runTool('openssl', given, { folder })).text
}

async function readable(reply: Buffer): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'reply'), reply)
  return (await runTool('openssl', ['ts', '-reply', '-in', 'reply', '-text'], { folder })).text
}

test('a request goes through as it is, and its answer answers it', async () => {
  const relay = createTimestampRelay({ authorities: [authority()] })
  const { folder, query } = await queryOf('-cert')
  expect(await verified(folder, await relay(query))).toContain('Verification: OK')
  const plain = await queryOf('-no_nonce')
  expect(await readable(await relay(plain.query))).toContain('Status: Granted.')
})

test('a rejection of the authority goes through', async () => {
  const relay = createTimestampRelay({ authorities: [authority()] })
  const { query } = await queryOf('-tspolicy', '1.2.3')
  expect(await readable(await relay(query))).toMatch(/Status: Rejected\.[\s\S]*policy/i)
})

test('the next authority answers where one does not', async () => {
  const authorities = [{ url: 'http://127.0.0.1:9/' }, { url: `${pki.baseUrl}/nothing` }, authority()]
  const { folder, query } = await queryOf('-cert')
  expect(await verified(folder, await createTimestampRelay({ authorities })(query))).toContain('Verification: OK')
})

test('an answer to another request is none', async () => {
  const relay = createTimestampRelay({ authorities: [authority()] })
  const other = await relay((await queryOf('-cert')).query)
  const exchange = async () => ({ status: 200, headers: {}, body: other })
  const confused = createTimestampRelay({ authorities: [authority()], exchange })
  expect(await readable(await confused((await queryOf('-cert')).query))).toContain('Status: Rejected.')
})

test.each<[string, (query: Buffer) => Uint8Array]>([
  ['nothing', () => Buffer.alloc(0)],
  ['garbage', () => Buffer.alloc(1000, 0x30)],
  ['a part of a request', (query) => query.subarray(0, 20)],
  ['another version', (query) => Buffer.from(query).fill(2, 4, 5)],
])('%s is rejected without asking anybody', async (_name, change) => {
  const relay = createTimestampRelay({ authorities: [authority()], exchange: () => expect.unreachable() })
  expect(await readable(await relay(change((await queryOf()).query)))).toContain('Status: Rejected.')
})

test('a request with any byte changed is passed on or rejected, and nothing else', async () => {
  const { query } = await queryOf('-cert', '-tspolicy', '1.2.3')
  let passed = 0
  const exchange = async () => {
    passed += 1
    return { status: 500, headers: {}, body: Buffer.alloc(0) }
  }
  const relay = createTimestampRelay({ authorities: [authority()], exchange })
  for (let at = 0; at < query.length; at++)
    for (const change of [0x01, 0x80, 0xff]) {
      const changed = Buffer.from(query)
      changed[at]! ^= change
      expect((await relay(changed)).subarray(0, 1)).toEqual(Buffer.of(0x30))
    }
  expect(passed).toBeGreaterThan(query.length)
  expect(passed).toBeLessThan(3 * query.length)
})

test('SHA-1 is rejected', async () => {
  const relay = createTimestampRelay({ authorities: [authority()], exchange: () => expect.unreachable() })
  const folder = temporaryFolder()
  const digest = createHash('sha1').update('data').digest('hex')
  await runTool('openssl', ['ts', '-query', '-digest', digest, '-sha1', '-out', 'query'], { folder })
  expect(await readable(await relay(readFileSync(join(folder, 'query'))))).toMatch(/unrecognized or unsupported/i)
})
