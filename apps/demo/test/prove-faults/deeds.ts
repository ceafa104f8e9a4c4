// What clients do at the suite while it is broken, and what must be true of everything it confirmed.
import { constants, createHash, privateEncrypt, randomUUID, sign, verify, X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { holders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { Calls, Refused } from './calls.ts'
import type { ServiceName } from './settings.ts'
import { RETURN, type World } from './world.ts'

/** Looks whether what was confirmed is still so; the reason where it is not. */
type Check = () => Promise<string | undefined>

/** One kind of work. It is done again and again; each time it resolves with what was confirmed by then, or throws. */
export interface Deed {
  readonly name: string
  readonly service: ServiceName
  /** `confirmed` is called as soon as something is. */
  act(confirmed: (check: Check) => void): Promise<void>
}

const PERSON = 'ana-souza'

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const nothing = (): undefined => undefined

const newPdf = (): Buffer => samplePdf(`Contrato ${randomUUID()}`)

export function deedsIn(world: World, bugs: string[]): readonly Deed[] {
  const known = world.suite.file().services
  const at = (name: ServiceName, headers = (key: string): Record<string, string> => ({ 'X-Api-Key': key })) =>
    new Calls(known[name]!.baseUrl, headers(known[name]!.apiKey!), bugs)
  return [
    documents(world, at('document-platform')),
    sessions(world, at('session-server')),
    cloud(world, at('cloud-hub')),
    folder(world),
    uploads(at('batch-signer')),
    authentications(world, at('pki-core')),
    applications(at('credential-platform')),
  ]
}

const holderOf = ({ suite }: World) => suite.file().holders[0]!

/** A document is created, and signed by its participant with a certificate. */
function documents(world: World, calls: Calls): Deed {
  const { cpf, name } = holderOf(world)
  return {
    name: 'documents',
    service: 'document-platform',
    async act(confirmed) {
      const pdf = newPdf()
      const { id } = await calls.json<{ id: string }>('POST', '/api/uploads/bytes', { bytes: pdf.toString('base64') })
      const files = [{ id, name: 'contrato.pdf', displayName: 'Contrato', contentType: 'application/pdf' }]
      const flowActions = [{ type: 'Signer', step: 1, user: { name, identifier: cpf, email: 'ana@example.com' } }]
      const [{ documentId }] = await calls.json<[{ documentId: string }]>('POST', '/api/documents', {
        files,
        flowActions,
      })
      const original = () => calls.bytes(`/api/documents/${documentId}/content?type=Original`)
      const exists = async () => void (await calls.json('GET', `/api/documents/${documentId}`))
      confirmed(() => exists().then(nothing))
      // With the verification code that a document gets before anybody signs it.
      const stamped = sha256(await original())
      confirmed(async () =>
        sha256(await original()) === stamped ? undefined : `the original of document ${documentId} has changed`,
      )
      await signDocument(world, calls, documentId)
      const signed = sha256(await calls.bytes(`/api/documents/${documentId}/content?type=Signatures`))
      confirmed(async () => {
        const { status } = await calls.json<{ status: string }>('GET', `/api/documents/${documentId}`)
        if (status !== 'Concluded') return `document ${documentId} was signed and is ${status}`
        const now = sha256(await calls.bytes(`/api/documents/${documentId}/content?type=Signatures`))
        return now === signed ? undefined : `the signed file of document ${documentId} has changed`
      })
    },
  }
}

async function signDocument(world: World, calls: Calls, id: string): Promise<void> {
  const identifier = holderOf(world).cpf
  const { url } = await calls.json<{ url: string }>('POST', `/api/documents/${id}/action-url`, { identifier })
  const { pathname, searchParams } = new URL(url)
  const path = `/api/documents/keys/${pathname.split('/')[3]}/signature`
  const { der, key } = world.pki.pki.certificate(PERSON)
  const begun = await calls.json<{ token: string; toSignHash: string }>('POST', `${path}/certificate`, {
    ticket: searchParams.get('ticket'),
    certificate: der.toString('base64'),
  })
  const padded = { key: key.privateKey, padding: constants.RSA_PKCS1_PADDING }
  const signature = privateEncrypt(padded, Buffer.concat([DIGEST_INFO, Buffer.from(begun.toSignHash, 'base64')]))
  await calls.json('POST', path, { token: begun.token, signature: signature.toString('base64') })
}

/** A session is opened with a PIN, and a document signed under it. */
function sessions(world: World, calls: Calls): Deed {
  const { cpf, pin } = holderOf(world)
  return {
    name: 'sessions',
    service: 'session-server',
    async act(confirmed) {
      const { sessionId } = await calls.json<{ sessionId: string }>('POST', '/v1/sessions', { cpf, pin })
      const form = new FormData()
      form.set('sessionId', sessionId)
      form.set('document', new Blob([new Uint8Array(newPdf())]), 'contrato.pdf')
      const { signatureId } = await calls.json<{ signatureId: string }>('POST', '/v1/signatures', form)
      confirmed(() => endOf(calls, signatureId))
      for (let tries = 0; (await endOf(calls, signatureId)) !== undefined; tries++) {
        if (tries > 40) throw new Error(`The signature ${signatureId} does not end.`)
        await sleep(250)
      }
      await calls.json('POST', '/v1/sessions/deactivate', { sessionId })
    },
  }
}

/** A document that was accepted is signed, or told as one that will never be. */
async function endOf(calls: Calls, signatureId: string): Promise<string | undefined> {
  try {
    await calls.bytes(`/v1/signatures/${signatureId}/document`)
    return undefined
  } catch (error) {
    if (error instanceof Refused && error.message.includes('DOCUMENT_UNAVAILABLE')) return undefined
    if (error instanceof Refused && error.status < 500) return `signature ${signatureId}: ${error.message}`
    throw error
  }
}

/** A holder allows one signature at the provider, and a hash is signed. */
function cloud(world: World, calls: Calls): Deed {
  return {
    name: 'cloud',
    service: 'cloud-hub',
    async act() {
      const asked = { redirectUri: RETURN, identifier: holderOf(world).cpf }
      const { authUrl } = await calls.json<{ authUrl: string }>('POST', '/api/sessions/services/Nuvem', asked)
      const callback = await world.provider.walk(authUrl, { holder: PERSON })
      const { headers } = await fetch(callback, { redirect: 'manual' })
      const session = new URL(headers.get('location') ?? 'about:blank').searchParams.get('session')
      if (session === null) throw new Error(`The hub sent the holder to ${headers.get('location')}.`)
      const hash = createHash('sha256').update(session).digest()
      const body = { session, hash: hash.toString('base64'), digestAlgorithm: 'SHA-256' }
      const signature = await calls.json<string>('POST', '/api/sessions/sign-hash', body)
      const { x509 } = world.pki.pki.certificate(PERSON)
      const { publicKey } = new X509Certificate(x509.toString())
      if (!verify('sha256', Buffer.from(session), publicKey, Buffer.from(signature, 'base64')))
        throw new Error('A signature of the hub does not verify.')
    },
  }
}

/** A file is dropped into the watched folder: it is there, or its signed form is. */
function folder({ suite }: World): Deed {
  return {
    name: 'folder',
    service: 'batch-signer',
    async act(confirmed) {
      const name = `f-${randomUUID()}`
      const path = suite.pathOf('work', 'input', `${name}.pdf`)
      writeFileSync(`${path}.part`, newPdf())
      renameSync(`${path}.part`, path)
      const outputs = () => namesIn(suite.pathOf('work', 'batch', 'output'), name)
      confirmed(async () => {
        if (outputs().length > 1) return `${name} was signed ${outputs().length} times`
        if (outputs().length === 1 || existsSync(path)) return undefined
        return `${name} is neither in the input nor in the output folder`
      })
      for (let tries = 0; outputs().length === 0; tries++) {
        if (tries > 120) throw new Error(`${name} is not signed.`)
        await sleep(250)
      }
    },
  }
}

const namesIn = (folder: string, part: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.includes(part) && !name.startsWith('.'))

/** A file is sent to the batch signer, and ends signed. */
function uploads(calls: Calls): Deed {
  return {
    name: 'uploads',
    service: 'batch-signer',
    async act(confirmed) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(newPdf())]), `u-${randomUUID()}.pdf`)
      const { jobId: id } = await calls.json<{ jobId: string }>('POST', '/api/files', form)
      const status = async () => (await calls.json<{ status: string }>('GET', `/api/jobs/${id}`)).status
      confirmed(async () => ((await status()) === 'Failed' ? `job ${id} has failed` : undefined))
      for (let tries = 0; (await status()) !== 'Completed'; tries++) {
        if (tries > 120) throw new Error(`Job ${id} is ${await status()}.`)
        await sleep(250)
      }
      confirmed(async () => ((await status()) === 'Completed' ? undefined : `job ${id} was Completed`))
    },
  }
}

/** A person is authenticated by certificate; the same proof counts once. */
function authentications(world: World, calls: Calls): Deed {
  return {
    name: 'authentications',
    service: 'pki-core',
    async act(confirmed) {
      const path = '/api/v2/authentication'
      const { state, toSign } = await calls.json<{ state: string; toSign: { data: string } }>('POST', path)
      const { der, key } = world.pki.pki.certificate(PERSON)
      const signature = sign('sha256', Buffer.from(toSign.data, 'base64'), key.privateKey).toString('base64')
      const proof = { state, certificate: der.toString('base64'), signature }
      const { success } = await calls.json<{ success: boolean }>('POST', `${path}/completion`, proof)
      if (!success) throw new Error('A certificate was not accepted.')
      confirmed(async () => {
        try {
          const again = await calls.json<{ success: boolean }>('POST', `${path}/completion`, proof)
          return again.success ? 'a proof was accepted twice' : undefined
        } catch (error) {
          if (error instanceof Refused && error.status < 500) return undefined
          throw error
        }
      })
    },
  }
}

/** An application is made at the credential platform. */
function applications(calls: Calls): Deed {
  return {
    name: 'applications',
    service: 'credential-platform',
    async act(confirmed) {
      const name = randomUUID()
      await calls.json('POST', '/api/applications', { name, role: 'Administrador' })
      confirmed(async () => {
        const { items } = await calls.json<{ items: { name: string }[] }>('GET', `/api/applications?q=${name}`)
        return items.some((one) => one.name === name) ? undefined : `the application ${name} is gone`
      })
    },
  }
}

/** The people of the world, so that a wrong label is found at once. */
if (!holders[PERSON]) throw new Error(`The PKI has no ${PERSON}.`)
