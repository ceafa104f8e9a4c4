// Receivers that require more than a header, and misbehaving ones.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { addressPolicy } from '@chancela/service-kernel/http-client'
import { openSecrets, resealTable } from '@chancela/service-kernel/secrets'
import { testStores } from '@chancela/testkit/stores'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endpointsOf, sealedEndpoints, updateEndpoint } from './index.ts'
import { OWNER, startReceiver, webhookWorld } from './test-support/webhook-world.ts'

const soon = { interval: 10 }

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** An authorization server that numbers its tokens. */
async function startAuthorization() {
  const asked: { readonly authorization: string | undefined; readonly body: string }[] = []
  const receiver = await startReceiver((request, response) => {
    asked.push({ authorization: request.headers.authorization, body: request.body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: `token-${asked.length}`, token_type: 'Bearer', expires_in: 3600 }))
  })
  return { tokenUrl: receiver.url, asked }
}

/** A key and a self-signed certificate, in PEM. */
async function selfSigned(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const { ok, text } = await openssl(['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert, '-days', '2'])
  expect(ok, text).toBe(true)
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
}

const allowLocalhost = addressPolicy({ allowed: ['127.0.0.1', 'localhost'] })

for (const [name, open] of Object.entries(testStores)) {
  describe(`access to receivers on ${name}`, () => {
    test('an access token is asked for once, kept until it expires, and renewed after a 401', async () => {
      const world = await webhookWorld(open)
      const { tokenUrl, asked } = await startAuthorization()
      let refuses = false
      const receiver = await startReceiver((_, response) => response.writeHead(refuses ? 401 : 200).end())
      const oauth2 = { tokenUrl, clientId: 'a:client', clientSecret: 's&cret', scope: 'hooks' }
      const settings = { authType: 'Bearer', token: 'registered', access: { oauth2 } } as const
      const { id } = await world.endpoint({ url: receiver.url, ...settings })
      world.start()
      const tokens = () => receiver.received.map(({ headers }) => headers.authorization)
      await world.emit({}, {})
      await expect.poll(tokens, soon).toEqual(['Bearer token-1', 'Bearer token-1'])
      expect(asked).toEqual([
        {
          authorization: `Basic ${Buffer.from('a%3Aclient:s%26cret').toString('base64')}`,
          body: 'grant_type=client_credentials&scope=hooks',
        },
      ])
      // The endpoint is read again, and says the same.
      await updateEndpoint(world.store.db, world.secrets, { ownerId: OWNER, id }, { concurrency: 4 }, world.clock())
      await world.emit({})
      await expect.poll(tokens, soon).toEqual(Array(3).fill('Bearer token-1'))
      world.clock.advance(HOUR)
      await world.emit({})
      await expect.poll(() => tokens().at(-1), soon).toBe('Bearer token-2')
      refuses = true
      await world.emit({})
      await expect.poll(async () => (await world.deliveries()).at(-1)!.last_status, soon).toBe(401)
      refuses = false
      world.clock.advance(HOUR / 2)
      await expect.poll(() => tokens().at(-1), soon).toBe('Bearer token-3')
    })

    test('without an access token nothing is sent, and the log says why', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const refusing = await startReceiver((_, response) => response.writeHead(403).end())
      const credentials = { clientId: 'client', clientSecret: 'secret' }
      const inside = 'http://127.0.0.2:9/token'
      for (const tokenUrl of [refusing.url, inside])
        await world.endpoint({ url: receiver.url, access: { oauth2: { ...credentials, tokenUrl } } })
      world.start()
      await world.emit({})
      await expect
        .poll(async () => (await world.attempts()).map(({ error }) => error).sort(), soon)
        .toEqual(['No access token: Only https is taken here.', 'No access token: its endpoint answered 403.'])
      expect(receiver.received).toEqual([])
      expect((await endpointsOf(world.store.db, OWNER)).map(({ failures }) => failures)).toEqual([1, 1])
    })

    test('a token endpoint whose name leads inside is refused when it is connected to', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const oauth2 = { tokenUrl: 'https://localhost/token', clientId: 'client', clientSecret: 'secret' }
      await world.endpoint({ url: receiver.url, access: { oauth2 } })
      const inside = (host: string) => (host === 'localhost' ? `${host} is not a public address.` : undefined)
      world.start({ policy: { refusesUrl: () => undefined, refusesAddress: inside } })
      await world.emit({})
      await expect
        .poll(async () => (await world.attempts())[0]?.error, soon)
        .toBe('No access token: localhost is not a public address.')
      expect(receiver.received).toEqual([])
    })

    test('a token endpoint that is silent, or sends without end, is given up, and the log says why', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const silent = await startReceiver(() => {})
      const endless = await startReceiver((_, response) => {
        const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
        response.on('close', () => clearInterval(more))
      })
      for (const { url: tokenUrl } of [silent, endless])
        await world.endpoint({
          url: receiver.url,
          access: { oauth2: { tokenUrl, clientId: 'client', clientSecret: 'secret' } },
        })
      world.start({ timeoutMs: 1000 })
      await world.emit({})
      await expect
        .poll(async () => (await world.attempts()).map(({ error }) => error).sort(), soon)
        .toEqual(['No access token: its endpoint did not answer in time.', 'No access token: the answer is too long.'])
      expect(receiver.received).toEqual([])
    })

    test('an endpoint with a certificate shows it, and trusts the authority it names', async () => {
      const world = await webhookWorld(open)
      const [server, client] = [await selfSigned('localhost'), await selfSigned('chancela')]
      const seen: string[] = []
      const secured = createHttpsServer({ ...server, ca: client.cert, requestCert: true }, (request, response) => {
        seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
        request.resume().on('end', () => response.end())
      })
      const port = await listening(secured)
      const tls = { ...client, ca: server.cert }
      await world.endpoint({ url: `https://localhost:${port}/`, access: { tls } })
      world.clock.advance(SECOND)
      await world.endpoint({ url: `https://localhost:${port}/` })
      world.start({ policy: allowLocalhost })
      await world.emit({})
      await expect.poll(async () => (await world.attempts()).length, soon).toBe(2)
      expect(seen).toEqual(['chancela'])
      expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'waiting'])
      expect((await world.attempts())[1]!.error).toMatch(/SELF_SIGNED_CERT|DEPTH_ZERO/)
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([{ hasAccess: true }, { hasAccess: false }])
    })

    test('through a proxy every receiver is reached by the address that was judged', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver()
      const { cert, key } = await selfSigned('localhost')
      const bodies: string[] = []
      const secured = createHttpsServer({ cert, key }, async (request, response) => {
        for await (const piece of request) bodies.push(String(piece))
        response.end()
      })
      const port = await listening(secured)
      const asked: string[] = []
      const proxy = createHttpServer()
      proxy.on('connect', (request, socket) => {
        asked.push(request.url ?? '')
        const [host, to] = (request.url ?? '').split(':')
        const through = connect(Number(to), host, () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
          socket.pipe(through).pipe(socket)
        })
        for (const one of [socket, through]) one.on('error', () => {})
      })
      const proxyUrl = `http://127.0.0.1:${await listening(proxy)}`
      await world.endpoint({ url: receiver.url })
      await world.endpoint({ url: `https://localhost:${port}/`, access: { tls: { ca: cert } } })
      await world.endpoint({ url: 'https://127.0.0.3/' })
      world.start({ policy: allowLocalhost, proxyUrl })
      await world.emit({ body: 'through' })
      await expect.poll(async () => (await world.attempts()).length, soon).toBe(3)
      expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'waiting'])
      expect([...receiver.received.map(({ body }) => body), ...bodies]).toEqual(['through', 'through'])
      expect(asked.sort()).toEqual([new URL(receiver.url).host, `127.0.0.1:${port}`].sort())
    })

    test('a proxy that refuses is told of as a receiver that did not answer', async () => {
      const world = await webhookWorld(open)
      const proxy = createHttpServer()
      proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
      const receiver = await startReceiver()
      await world.endpoint({ url: receiver.url })
      world.start({ proxyUrl: `http://127.0.0.1:${await listening(proxy)}` })
      await world.emit({})
      await expect.poll(async () => (await world.attempts())[0]?.error, soon).toBe('No answer: the proxy answered 407.')
      expect(receiver.received).toEqual([])
    })

    test('a name is judged again for every connection, so that one that moves inside is left', async () => {
      const world = await webhookWorld(open)
      const receiver = await startReceiver((_, response) => response.setHeader('connection', 'close').end())
      const { port } = new URL(receiver.url)
      await world.endpoint({ url: `http://localhost:${port}/` })
      let isInside = false
      const policy = {
        refusesUrl: () => undefined,
        refusesAddress: (_: string, address: string) => (isInside ? `${address} is not a public address.` : undefined),
      }
      world.start({ policy })
      await world.emit({})
      await expect.poll(async () => (await world.deliveries())[0]!.state, soon).toBe('delivered')
      isInside = true
      await world.emit({ subject: 'd2' })
      await expect.poll(async () => (await world.attempts())[1]?.error, soon).toMatch(/is not a public address/)
      expect(receiver.received).toHaveLength(1)
    })

    test('a receiver that resets the connection, or begins its answer a byte at a time, is tried again', async () => {
      const resetting = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()))
      const dripping = createServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-drop: ')
        const drop = setInterval(() => socket.write('x'), 20)
        socket.on('error', () => {}).once('close', () => clearInterval(drop))
      })
      /** The result of the first attempt, and when the next is due. */
      const attempted = async (server: Server, timeoutMs: number) => {
        const world = await webhookWorld(open)
        await world.endpoint({ url: `http://127.0.0.1:${await listening(server)}/` })
        world.start({ timeoutMs })
        await world.emit({})
        await expect.poll(async () => (await world.attempts()).length, soon).toBe(1)
        const [delivery] = await world.deliveries()
        const wait = Date.parse(delivery!.due_at) - world.clock().getTime()
        return { state: delivery!.state, error: (await world.attempts())[0]!.error, wait }
      }
      const reset = await attempted(resetting, 60_000)
      expect(reset.error).toMatch(/^No answer: (ECONNRESET|UND_ERR_SOCKET)\.$/)
      const slow = await attempted(dripping, 500)
      expect(slow.error).toBe('The receiver did not answer in time.')
      expect([reset.state, slow.state]).toEqual(['waiting', 'waiting'])
      expect(reset.wait).toBeLessThan(45 * SECOND)
      expect(slow.wait).toBeGreaterThanOrEqual(MINUTE)
    })

    test('a rotation of the master key reaches tokens, secrets and access', async () => {
      const world = await webhookWorld(open)
      const { tokenUrl } = await startAuthorization()
      const receiver = await startReceiver()
      const oauth2 = { tokenUrl, clientId: 'client', clientSecret: 'secret' }
      await world.endpoint({ url: receiver.url, authType: 'ApiKey', token: 'a key', access: { oauth2 } })
      const newKey = Buffer.alloc(32, 7).toString('base64')
      const ring = (masterKey: string) => openSecrets({ service: 'test', masterKeyFile: '', masterKey })
      expect(await resealTable(world.store, ring(`${world.masterKey},${newKey}`), sealedEndpoints)).toMatchObject({
        resealed: 3,
        unopened: [],
      })
      world.start({ secrets: ring(newKey) })
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      expect(receiver.received[0]!.headers).toMatchObject({ 'x-api-key': 'a key', authorization: 'Bearer token-1' })
    })
  })
}
