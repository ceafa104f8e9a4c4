// @chancela/client against the services themselves: the session server, and the document platform behind it.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSessionClient, isSessionError } from '@chancela/client/session-server'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientRoutes } from '../src/client-contract.ts'
import { folder } from './test-support/pki.ts'
import { type SessionWorld, sharedSessionServer, startSessionServer } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { holdInVault, newCpf, newHolder, PIN } from './test-support/vault.ts'

const PDF = new Uint8Array(samplePdf('Contrato'))

const clientOf = ({ baseUrl, client }: SessionWorld) => createSessionClient({ baseUrl, apiKey: client.apiKey })

async function caught(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  )
}

async function signatureVerdict(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return (await runTool('pdfsig', ['-nocert', file])).text
}

// The client does not see the database: testing on one is enough.
const signer = sharedSignatureService()
const world = sharedSessionServer('SQLite', { signer })

describe('the client of the session server', () => {
  test('knows every operation that is served, and no other', async () => {
    const { paths } = await (await fetch(`${world().baseUrl}/openapi/v1.json`)).json()
    const served = Object.entries(paths as object).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(served.filter((line) => line.includes('/v1/')).sort()).toEqual(
      clientRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
    )
  })

  test('opens a session, signs under it and ends it', async () => {
    const client = clientOf(world())
    const { cpf, pin } = await newHolder(world())
    const session = await client.openSession({ cpf, pin, sessionDuration: 60 })
    const { sessionId } = session
    expect(session).toMatchObject({ cpf, expiresIn: 60, correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(await client.sessionStatus(sessionId)).toMatchObject({ active: true, sessionId })
    expect(await client.certificateInfo(sessionId)).toMatchObject({ cpf, status: 'ACTIVE' })
    const contents = { bytes: PDF, blob: new Blob([PDF]), stream: new Blob([PDF]).stream() }
    for (const [form, document] of Object.entries(contents)) {
      const { signatureId, status } = await client.sign({ sessionId, document, fileName: `${form}.pdf` })
      expect(status).toBe('PROCESSING')
      const { bytes } = await client.waitForDocument(signatureId)
      const verdict = await signatureVerdict(`${form}.pdf`, bytes)
      expect(verdict).toContain('Signature is Valid')
      expect(verdict).toContain(`:${cpf}`)
    }
    expect(await client.deactivate(sessionId)).toMatchObject({ cpf, sessionId, active: false })
    expect(await client.sessionStatus(sessionId)).toMatchObject({ active: false })
    const error = await caught(client.sign({ sessionId, document: PDF }))
    expect(error).toMatchObject({ code: 'SESSION_EXPIRED', status: 401, isRetryable: false })
  })

  test('tells the documents of a batch that failed from those that did not', async () => {
    const client = clientOf(world())
    const { cpf, pin } = await newHolder(world())
    const { sessionId } = await client.openSession({ cpf, pin })
    const documents = [
      { document: PDF, fileName: 'primeiro – ação.pdf' },
      { document: Buffer.from('no PDF at all'), fileName: 'segundo.txt' },
      { document: new File([PDF], 'terceiro.pdf') },
    ]
    const { results } = await client.signBatch({ sessionId, documents })
    expect(results.map(({ fileName, error }) => [fileName, error?.code])).toEqual([
      ['primeiro – ação.pdf', undefined],
      ['segundo.txt', 'UNSUPPORTED_DOCUMENT'],
      ['terceiro.pdf', undefined],
    ])
    for (const { signatureId } of results) if (signatureId) await client.waitForDocument(signatureId)
  })

  test('counts one attempt for each wrong PIN, and none after the lockout', async () => {
    const client = clientOf(world())
    const { cpf } = await newHolder(world())
    const { MaxFailures } = world().settings.Pin
    for (let attempt = 0; attempt < MaxFailures; attempt++) {
      expect(isSessionError(await caught(client.openSession({ cpf, pin: 'wrong' })), 'INVALID_PIN')).toBe(true)
    }
    const error = await caught(client.openSession({ cpf, pin: PIN }))
    expect(error).toMatchObject({ code: 'TOO_MANY_PIN_ATTEMPTS', status: 429, isRetryable: false })
  })

  test('names the request as the server’s log does', async () => {
    const error = await caught(clientOf(world()).document('11111111-2222-3333-4444-555555555555'))
    if (!isSessionError(error, 'DOCUMENT_NOT_FOUND')) return expect.fail(String(error))
    await expect.poll(() => world().log()).toContain(error.correlationId)
  })

  test('tells a key that is not accepted, and what is wrong with a field', async () => {
    const { baseUrl } = world()
    const stranger = createSessionClient({ baseUrl, apiKey: 'nobody' })
    expect(await caught(stranger.sessionStatus('s1'))).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    const error = await caught(clientOf(world()).openSession({ cpf: '11111111111', pin: '1' }))
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400, details: { field: 'cpf' } })
  })

  test('gets its calls through to a server that was busy', async () => {
    const { baseUrl, client, call } = await startSessionServer('SQLite', {
      settings: { Http: { MaxRunning: 1, MaxQueued: 0 } },
    })
    const cpf = newCpf()
    // A request whose body never arrives takes the only running slot.
    const headers = { 'X-API-Key': client.apiKey, 'Content-Type': 'application/json', 'Content-Length': '2' }
    const occupying = request(`${baseUrl}/v1/sessions`, { method: 'POST', headers }).on('error', () => {})
    occupying.flushHeaders()
    await expect.poll(async () => (await call('GET', '/v1/sessions/status?sessionId=s1')).status).toBe(429)
    const statuses: number[] = []
    const patient = createSessionClient({
      baseUrl,
      apiKey: client.apiKey,
      retry: { attempts: 1000, firstDelayMs: 5, maxDelayMs: 50 },
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        statuses.push(response.status)
        if (statuses.length === 2) occupying.destroy()
        return response
      },
    })
    expect(await caught(patient.openSession({ cpf, pin: PIN }))).toMatchObject({ code: 'CERT_NOT_FOUND' })
    expect([...new Set(statuses)]).toEqual([429, 404])
  })
})

describe('the examples of the client', () => {
  const place = join(folder, 'examples')
  let output = ''

  // All in one process, in the order of the README. That it exits shows that nothing keeps it alive.
  beforeAll(async () => {
    mkdirSync(place)
    await holdInVault(world(), 'ana-souza')
    for (const name of ['contract.pdf', 'annex.pdf']) writeFileSync(join(place, name), PDF)
    writeFileSync(join(place, 'notes.txt'), 'no PDF at all')
    const names = ['sign-file', 'sign-batch', 'wait-for-document', 'lockout']
    const examples = new URL('../../../packages/client/examples/', import.meta.url)
    const main = names.map((name) => `await import(${JSON.stringify(new URL(`${name}.ts`, examples).href)})`).join('\n')
    const source = ['--conditions=chancela-source', '--import', import.meta.resolve('tsx')]
    const { baseUrl, client } = world()
    const env = { ...process.env, SESSION_SERVER_URL: baseUrl, SESSION_SERVER_KEY: client.apiKey, PIN }
    const args = [...source, '--input-type=module', '--eval', main]
    output = (await promisify(execFile)(process.execPath, args, { cwd: place, env })).stdout
  })

  test('sign a file', async () => {
    expect(output).toMatch(/^ANA BEATRIZ SOUZA.* signs, until \d{4}-/m)
    const signed = readFileSync(join(place, 'contract.signed.pdf'))
    expect(await signatureVerdict('contract.signed.pdf', signed)).toContain('Signature is Valid')
  })

  test('sign a batch of which one document fails', () => {
    expect(output).toContain('contract.pdf: signed\nnotes.txt: UNSUPPORTED_DOCUMENT\nannex.pdf: signed\n')
    expect(readFileSync(join(place, 'batch.annex.pdf')).length).toBeGreaterThan(PDF.length)
  })

  test('wait for a document, and tell one that is unknown', () => {
    expect(output).toContain('\nunknown here\n')
  })

  test('tell a wrong PIN from a lockout', () => {
    const { MaxFailures } = world().settings.Pin
    const wrong = 'wrong PIN: ask the person, not the server\n'.repeat(MaxFailures)
    expect(output).toContain(`${wrong}locked: come back in a quarter of an hour\n`)
  })
})
