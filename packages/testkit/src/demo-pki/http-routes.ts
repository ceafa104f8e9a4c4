import { HOUR, SECOND } from '@chancela/service-kernel/clock'
import type { IssuedCertificate } from './certificate.ts'
import { practiceStatement } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'
import { type FaultArea, type Faults, type Flaw, isFaultArea, readFault } from './faults.ts'
import { answerOcsp, OCSP_ANSWER_HOURS } from './ocsp-responder.ts'
import { certificateBundle } from './signed-data.ts'
import { answerTimeStamp } from './time-stamp-authority.ts'

/** The request to a route. */
export interface Question {
  readonly pki: DemoPki
  readonly faults: Faults
  /** The matched groups of the path. */
  readonly parts: readonly (string | undefined)[]
  readonly body: Buffer
  /** The flaw to put into the response, if a fault is active. */
  readonly flaw: Flaw | undefined
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Buffer | string
  readonly lastModified?: Date
  readonly cacheSeconds?: number
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: RegExp
  /** The part of the PKI whose faults apply to it. */
  readonly area?: FaultArea
  /** The only media type a body may have. */
  readonly takes?: string
  readonly answer: (question: Question) => Answer | Promise<Answer>
}

/** Everything the demo PKI serves. */
export const routes: readonly Route[] = [
  { method: 'GET', path: /^\/roots\.pem$/, answer: trustAnchors },
  { method: 'GET', path: /^\/cps\.txt$/, answer: () => text(200, practiceStatement) },
  { method: 'GET', path: /^\/aia\/([a-z0-9-]+)\.crt$/, area: 'aia', answer: issuerCertificate },
  { method: 'GET', path: /^\/aia\/([a-z0-9-]+)\.p7b$/, area: 'aia', answer: issuerBundle },
  { method: 'GET', path: /^\/crl\/([a-z0-9-]+)\.crl$/, area: 'crl', answer: revocationList },
  { method: 'GET', path: /^\/crl-mirror\/([a-z0-9-]+)\.crl$/, area: 'crl-mirror', answer: revocationList },
  { method: 'GET', path: /^\/ocsp\/(.+)$/, area: 'ocsp', answer: ocspByGet },
  { method: 'POST', path: /^\/ocsp\/?$/, area: 'ocsp', takes: 'application/ocsp-request', answer: ocspByPost },
  { method: 'POST', path: /^\/tsa\/?$/, area: 'tsa', takes: 'application/timestamp-query', answer: timeStamp },
  { method: 'GET', path: /^\/faults$/, answer: ({ faults }) => json(faults.list()) },
  { method: 'PUT', path: /^\/faults\/([a-z-]+)$/, takes: 'application/json', answer: setFault },
  { method: 'DELETE', path: /^\/faults(?:\/([a-z-]+))?$/, answer: clearFaults },
]

export const text = (status: number, sentence: string): Answer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${sentence}\n`,
})

function trustAnchors({ pki }: Question): Answer {
  return { status: 200, type: 'application/x-pem-file', body: pki.trustAnchors() }
}

function issuerCertificate({ pki, parts, flaw }: Question): Answer {
  const authority = authorityOf(pki, parts[0])
  if (!authority) return noSuchAuthority
  return { status: 200, type: 'application/pkix-cert', body: certificateBytes(authority, flaw) }
}

/** The authority's certificate and those above it. */
function issuerBundle({ pki, parts, flaw }: Question): Answer {
  const authority = authorityOf(pki, parts[0])
  if (!authority) return noSuchAuthority
  const bundle = certificateBundle(pki.chainOf(authority).map((certificate) => certificateBytes(certificate, flaw)))
  return { status: 200, type: 'application/pkcs7-mime', body: bundle }
}

async function revocationList({ pki, parts, flaw }: Question): Promise<Answer> {
  const authority = authorityOf(pki, parts[0])
  if (!authority) return noSuchAuthority
  const { der, thisUpdate } = await pki.revocationList(authority, flaw)
  return { status: 200, type: 'application/pkix-crl', body: der, lastModified: thisUpdate }
}

/** RFC 6960 A.1: the rest of the path is the request in Base64, percent-encoded. Only such answers may be cached. */
async function ocspByGet({ pki, parts, flaw }: Question): Promise<Answer> {
  const request = Buffer.from(percentDecoded(parts[0] ?? ''), 'base64')
  return { ...ocspAnswer(await answerOcsp(pki, request, flaw)), cacheSeconds: (OCSP_ANSWER_HOURS * HOUR) / SECOND }
}

async function ocspByPost({ pki, body, flaw }: Question): Promise<Answer> {
  return ocspAnswer(await answerOcsp(pki, body, flaw))
}

async function timeStamp({ pki, body, flaw }: Question): Promise<Answer> {
  return { status: 200, type: 'application/timestamp-reply', body: await answerTimeStamp(pki, body, flaw) }
}

function setFault({ faults, parts, body }: Question): Answer {
  const area = parts[0] ?? ''
  if (!isFaultArea(area)) return noSuchArea
  const fault = readFault(area, body.toString('utf8'))
  if (!fault) return text(400, 'Send {"kind": …, "delayMs"?: …, "times"?: …} with a kind of fault this area can have.')
  faults.set(area, fault)
  return json(faults.list())
}

function clearFaults({ faults, parts: [area] }: Question): Answer {
  if (area !== undefined && !isFaultArea(area)) return noSuchArea
  faults.clear(area)
  return json(faults.list())
}

const noSuchAuthority = text(404, 'The demo PKI has no such authority.')
const noSuchArea = text(404, 'Faults befall aia, crl, crl-mirror, ocsp and tsa.')

const json = (value: object): Answer => ({ status: 200, type: 'application/json', body: JSON.stringify(value) })

const ocspAnswer = (body: Buffer): Answer => ({ status: 200, type: 'application/ocsp-response', body })

const authorityOf = (pki: DemoPki, label: string | undefined): IssuedCertificate | undefined =>
  pki.authorities().find((authority) => authority.label === label)

/** A certificate ends with its signature: changing the last byte makes it invalid. */
function certificateBytes({ der }: IssuedCertificate, flaw: Flaw | undefined): Buffer {
  if (flaw !== 'wrong-signature') return der
  const spoiled = Buffer.from(der)
  spoiled[spoiled.length - 1]! ^= 1
  return spoiled
}

function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '' // A stray percent sign: the responder will call the empty request malformed.
  }
}
