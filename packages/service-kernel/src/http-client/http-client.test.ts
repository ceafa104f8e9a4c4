import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressPolicy, createHttpClient, type HttpClient } from './index.ts'
import { portOf, proxyOf, selfSigned, served, speaking } from './test-support/servers.ts'

type Options = Parameters<typeof createHttpClient>[0]

const here = addressPolicy({ allowed: ['127.0.0.1'] })

function clientOf(options: Partial<Options> = {}): HttpClient {
  const limits = { connectTimeoutMs: 5000, deadlineMs: 20_000, maxAnswerBytes: 65_536 }
  const client = createHttpClient({ policy: here, ...limits, ...options })
  onTestFinished(() => client.close())
  return client
}

const get = (url: string) => ({ method: 'GET', url }) as const

/** Milliseconds a call may take longer than its deadline on a busy machine. */
const PATIENCE = 15_000

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work
  } finally {
    expect(performance.now() - begun).toBeLessThan(milliseconds + PATIENCE)
  }
}

describe('an answer', () => {
  test('comes with its status, its headers and its bytes, whatever the status says', async () => {
    const url = await served((request, response) => {
      response.writeHead(418, { 'x-asked': `${request.method} ${request.url}`, 'set-cookie': ['a=1', 'b=2'] })
      request.pipe(response)
    })
    const sent = { method: 'POST', url: `${url}pot?tea=1`, body: 'tea', headers: { 'x-cup': '1' } } as const
    expect(await clientOf().exchange(sent)).toMatchObject({
      status: 418,
      headers: { 'x-asked': 'POST /pot?tea=1', 'set-cookie': ['a=1', 'b=2'] },
      body: Buffer.from('tea'),
    })
  })

  test('that is compressed stays as it was sent, so that its size is what was counted', async () => {
    const zipped = gzipSync(Buffer.alloc(1_000_000))
    const url = await served((_, response) => response.setHeader('content-encoding', 'gzip').end(zipped))
    expect((await clientOf().exchange(get(url))).body).toEqual(zipped)
  })

  test('that never comes is given up at the deadline', async () => {
    const url = await served(() => {})
    const asked = clientOf({ deadlineMs: 200 }).exchange(get(url))
    await within(200, expect(asked).rejects.toMatchObject({ kind: 'deadline', wasSent: true, status: undefined }))
  })

  test('that trickles is given up at the deadline', async () => {
    const url = await speaking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
      const drop = setInterval(() => socket.write('x'), 10)
      socket.once('close', () => clearInterval(drop))
    })
    const asked = clientOf().exchange({ ...get(url), deadlineMs: 300 })
    await within(300, expect(asked).rejects.toMatchObject({ kind: 'deadline', wasSent: true, status: 200 }))
  })

  test('whose header trickles is given up at the deadline', async () => {
    const url = await speaking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drop = setInterval(() => socket.write('x: y\r\n'), 10)
      socket.once('close', () => clearInterval(drop))
    })
    const asked = clientOf().exchange({ ...get(url), deadlineMs: 300 })
    await within(300, expect(asked).rejects.toMatchObject({ kind: 'deadline', wasSent: true }))
  })

  test('without end is cut off at the limit, and the connection with it', async () => {
    let written = 0
    let closed: Promise<unknown> | undefined
    const url = await served((_, response) => {
      const more = () => {
        written += 16_384
        if (response.write(Buffer.alloc(16_384))) setImmediate(more)
      }
      closed = once(response.on('drain', more), 'close')
      more()
    })
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject({
      kind: 'too-large',
      status: 200,
      message: 'The answer is longer than 65536 bytes.',
    })
    await closed
    expect(written).toBeLessThan(64_000_000)
  })

  test('whose head is what counts ends at the limit of its body', async () => {
    const url = await served((_, response) => response.end(Buffer.alloc(1_000_000, 'x')))
    const { status, body } = await clientOf().exchange({ ...get(url), maxAnswerBytes: 10, bodyWithinMs: 5000 })
    expect([status, String(body.subarray(0, 10))]).toEqual([200, 'xxxxxxxxxx'])
  })

  test('whose head is what counts has what came of a body that breaks off', async () => {
    const url = await speaking((socket) => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nhalf'))
    const { status, body } = await clientOf().exchange({ ...get(url), bodyWithinMs: 5000 })
    expect([status, String(body)]).toEqual([202, 'half'])
  })

  test('whose head is what counts has what came of a body that trickles, and its connection ends', async () => {
    let closed: Promise<unknown> | undefined
    const url = await speaking((socket) => {
      closed = once(socket, 'close')
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nbegun')
    })
    const { status, body } = await within(200, clientOf().exchange({ ...get(url), bodyWithinMs: 200 }))
    expect([status, String(body)]).toEqual([200, 'begun'])
    await closed
  })

  test('whose head does not come is none, whatever counts', async () => {
    const url = await speaking((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))
    const asked = clientOf().exchange({ ...get(url), deadlineMs: 300, bodyWithinMs: 100 })
    await within(300, expect(asked).rejects.toMatchObject({ kind: 'deadline', wasSent: true }))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(clientOf().exchange({ ...get(url), bodyWithinMs: 100, signal })).rejects.toMatchObject({
      kind: 'aborted',
    })
  })

  test('with a huge header is refused', async () => {
    const url = await speaking((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`),
    )
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject({ kind: 'too-large', wasSent: true })
  })

  test('that is no HTTP cannot be read, and the problem keeps none of it', async () => {
    const url = await speaking((socket) => socket.write('SSH-2.0-secret\r\n'))
    const problem = await clientOf()
      .exchange(get(url))
      .catch((error: Error) => error)
    expect(problem).toMatchObject({ kind: 'broken-answer', wasSent: true })
    expect(JSON.stringify(problem) + (problem as Error).stack).not.toContain('secret')
    expect(problem).not.toHaveProperty('cause')
  })
})

describe('a connection', () => {
  test('that nobody takes sent nothing', async () => {
    const problem = { kind: 'unreachable', wasSent: false, code: 'ECONNREFUSED' }
    await expect(clientOf().exchange(get('http://127.0.0.1:1/'))).rejects.toMatchObject(problem)
  })

  test('that is reset after the request leaves open what became of it', async () => {
    const url = await speaking((socket) => socket.resetAndDestroy())
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject({ kind: 'lost', wasSent: true })
  })

  test('that ends in the middle of an answer loses it', async () => {
    const url = await speaking((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject({ kind: 'lost', wasSent: true })
  })

  test('stays open for further calls', async () => {
    const ports = new Set<number | undefined>()
    const url = await served(({ socket }, response) => {
      ports.add(socket.remotePort)
      response.end()
    })
    const client = clientOf()
    for (let calls = 0; calls < 10; calls++) await client.exchange(get(url))
    // It becomes free a moment after its response, so there may be two in turn.
    expect(ports.size).toBeLessThan(3)
  })

  test('to a server whose certificate nobody vouches for sent nothing; with its authority it stands', async () => {
    const { cert, key } = await selfSigned()
    let calls = 0
    const server = createTlsServer({ cert, key }, (_, response) => {
      calls += 1
      response.end('well')
    })
    const url = `https://127.0.0.1:${await portOf(server)}/`
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject({
      kind: 'untrusted',
      wasSent: false,
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(calls).toBe(0)
    expect(String((await clientOf({ tls: { ca: cert } }).exchange(get(url))).body)).toBe('well')
  })

  test('of a closed client is none', async () => {
    const client = clientOf()
    await client.close()
    const asked = client.exchange(get('http://127.0.0.1:1/'))
    await expect(asked).rejects.toMatchObject({ kind: 'unreachable', code: 'UND_ERR_DESTROYED' })
  })
})

describe('an address is refused', () => {
  const refused = { kind: 'address-refused', wasSent: false }

  test.each(['ftp://127.0.0.1/', 'nowhere', 'file:///etc/passwd'])('that is none: %s', async (url) => {
    await expect(clientOf().exchange(get(url))).rejects.toMatchObject(refused)
    await expect(clientOf().stream(get(url))).rejects.toMatchObject(refused)
  })

  test('by what the URL says, also after a good one of the same server', async () => {
    const url = await served((_, response) => response.end())
    const client = clientOf()
    await client.exchange(get(url))
    await expect(client.exchange(get(url.replace('//', '//user:pass@')))).rejects.toMatchObject(refused)
    await expect(client.exchange(get('https://169.254.169.254/'))).rejects.toMatchObject({
      ...refused,
      message: '169.254.169.254 is not a public address.',
    })
  })

  test('once for all calls: a destination says why, and is refused whenever it is called', async () => {
    const url = await served((request, response) => response.end(request.url))
    const client = clientOf()
    const good = client.destination(`${url}hook?for=1`)
    const said = [1, 2].map(async () => String((await client.exchange({ method: 'POST', url: good })).body))
    expect(await Promise.all(said)).toEqual(['/hook?for=1', '/hook?for=1'])
    for (const bad of [client.destination('https://169.254.169.254/'), client.destination('nowhere')]) {
      await expect(client.exchange({ method: 'POST', url: bad })).rejects.toMatchObject({
        ...refused,
        message: bad.refusal,
      })
    }
  })

  test('by where its name leads, with and without a proxy', async () => {
    const { url: proxyUrl, asked } = await proxyOf()
    for (const options of [{}, { proxyUrl }]) {
      const client = clientOf({ policy: addressPolicy(), ...options })
      await expect(client.exchange(get('https://localhost/'))).rejects.toMatchObject({
        ...refused,
        message: expect.stringMatching(/ is not a public address\.$/),
      })
    }
    expect(asked).toEqual([])
  })

  test('where a redirect leads', async () => {
    const url = await served((_, response) => response.writeHead(302, { location: 'http://127.0.0.2/' }).end())
    await expect(clientOf({ redirects: 3 }).exchange(get(url))).rejects.toMatchObject(refused)
  })

  test('by nobody where there are no rules', async () => {
    const url = await served((_, response) => response.end('well'))
    const { exchange } = createHttpClient({ connectTimeoutMs: 5000, deadlineMs: 20_000, maxAnswerBytes: 10 })
    expect(String((await exchange(get(url.replace('127.0.0.1', 'localhost')))).body)).toBe('well')
  })
})

describe('whoever asked gives up', () => {
  test('before: nothing is sent', async () => {
    let calls = 0
    const url = await served(() => {
      calls += 1
    })
    const asked = clientOf().exchange({ ...get(url), signal: AbortSignal.abort() })
    await expect(asked).rejects.toMatchObject({ kind: 'aborted', wasSent: false })
    expect(calls).toBe(0)
  })

  test('while the answer is awaited: the connection ends', async () => {
    const giver = new AbortController()
    let closed: Promise<unknown> | undefined
    const url = await served((_, response) => {
      closed = once(response, 'close')
      giver.abort()
    })
    const asked = clientOf().exchange({ ...get(url), signal: giver.signal })
    await expect(asked).rejects.toMatchObject({ kind: 'aborted', wasSent: true })
    await closed
  })
})

describe('a redirect', () => {
  test('is an answer like any other unless following is asked for', async () => {
    const url = await served((_, response) => response.writeHead(307, { location: 'http://127.0.0.2/' }).end())
    expect(await clientOf().exchange(get(url))).toMatchObject({ status: 307 })
  })

  test('is followed without the credentials given for another server', async () => {
    const seen: unknown[] = []
    const target = await served(({ headers, url }, response) => {
      seen.push([url, headers.authorization, headers.accept])
      if (url === '/a') response.writeHead(301, { location: 'b' }).end()
      else response.end('there')
    })
    const url = await served((_, response) => response.writeHead(302, { location: `${target}a` }).end())
    const headers = { authorization: 'Bearer secret', accept: 'text/plain' }
    expect(String((await clientOf({ redirects: 2 }).exchange({ ...get(url), headers })).body)).toBe('there')
    expect(seen).toEqual([
      ['/a', undefined, 'text/plain'],
      ['/b', undefined, 'text/plain'],
    ])
  })

  test('takes a body along only where the method stays', async () => {
    const bodies: string[] = []
    const target = await served(async (request, response) => {
      for await (const piece of request) bodies.push(String(piece))
      response.end()
    })
    for (const status of [302, 308]) {
      const url = await served((_, response) => response.writeHead(status, { location: target }).end())
      const answer = await clientOf({ redirects: 1 }).exchange({ method: 'POST', url, body: `sent on by ${status}` })
      expect(answer.status).toBe(status === 302 ? 302 : 200)
    }
    expect(bodies).toEqual(['sent on by 308'])
  })

  test('in a circle ends, at the limit or at the deadline of the first call', async () => {
    const url = await served((_, response) => response.writeHead(302, { location: '/' }).end())
    const slow = await served((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150)
    })
    const client = clientOf({ redirects: 3 })
    await expect(client.exchange(get(url))).rejects.toMatchObject({ kind: 'too-many-redirects' })
    await expect(client.exchange({ ...get(slow), deadlineMs: 350 })).rejects.toMatchObject({ kind: 'deadline' })
  })
})
